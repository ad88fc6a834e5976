// Light or dark: as the system says, until someone decides.

class Theme {
  isDark = $state(false);

  constructor() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = localStorage.getItem("theme");
    this.#set(chosen === null ? system.matches : chosen === "dark");
    system.addEventListener("change", () => localStorage.getItem("theme") === null && this.#set(system.matches));
  }

  toggle(): void {
    this.#set(!this.isDark);
    localStorage.setItem("theme", this.isDark ? "dark" : "light");
  }

  #set(isDark: boolean): void {
    this.isDark = isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  }
}

export const theme = new Theme();
