type Child = Node | string | null | false;
type Properties = Record<string, string | boolean | ((event: Event) => void)>;

/** Creates an element. Texts become text nodes, so nothing that is stored can become markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

/** Creates a card with a heading, so that a screen reader can go from one to the next. */
export const card = (title: string, ...children: Child[]): HTMLElement =>
  h("section", { class: "card" }, h("h2", {}, title), ...children);

/** Creates a list of facts with their names. */
export const facts = (...rows: ([name: string, value: Child] | null)[]): HTMLElement =>
  h("dl", {}, ...rows.flatMap((row) => (row === null ? [] : [h("div", {}, h("dt", {}, row[0]), h("dd", {}, row[1]))])));

/** Keeps a name or number in its own direction inside a text of another. */
export const bdi = (text: string): HTMLElement => h("bdi", {}, text);
