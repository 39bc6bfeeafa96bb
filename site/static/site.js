// The search: search.json lists all pages with their parts, minisearch ranks them.
"use strict";
(() => {
  const root = new URL(".", document.currentScript.src);
  const form = document.getElementById("search");
  const input = form.querySelector("input");
  const panel = form.querySelector(".results");
  const status = panel.querySelector("[role=status]");
  const keys = panel.querySelector(".keys");
  const list = panel.querySelector("ol");
  const shown = 12;

  form.hidden = false;
  if (matchMedia("(min-width: 72rem)").matches) document.querySelector(".contents details")?.setAttribute("open", "");

  const tokenize = (text) => text.split(/[^\p{L}\p{N}]+/u);
  // Long numbers and hexadecimal ones are times, addresses and ids of one incident.
  const processTerm = (term) => {
    term = term.toLowerCase();
    return term.length < 2 || /^\d{5,}$|^(?=.*\d)[0-9a-f]{8,}$/.test(term) ? null : term;
  };

  const id = (page) => page.url.split("/").at(-2) ?? "";

  let loading;
  const load = () => loading ??= (async () => {
    const answer = await fetch(new URL("search.json", root));
    if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
    const pages = await answer.json();
    const index = new MiniSearch({
      idField: "url", fields: ["title", "id", "headings", "text"], tokenize, processTerm,
      extractField: (page, field) => {
        switch (field) {
          case "id": return id(page);
          case "headings": return page.parts.map((p) => p.heading ?? "").join(" ");
          case "text": return page.parts.map((p) => p.text).join(" ");
        }
        return page[field];
      },
    });
    index.addAll(pages);
    return { index, pages: new Map(pages.map((p) => [p.url, p])) };
  })();

  const find = async (question) => {
    const { index, pages } = await load();
    const words = tokenize(question).map(processTerm).filter(Boolean);
    const found = (options) => index.search(question, options)
      .map((hit) => ({ page: pages.get(hit.id), terms: hit.terms, asked: hit.queryTerms, score: hit.score }));
    if (isMessage(question, words)) return ranked(found({}), words);
    const options = {
      boostDocument: (url) => isCause(pages.get(url)) ? 1.5 : 1,
      boost: { title: 3, id: 3, headings: 1.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 ? 0.2 : false,
    };
    let all = found({ ...options, combineWith: "AND" });
    if (all.length === 0) all = found(options);
    const named = (hit) => id(hit.page) === words.join("-");
    return [...all.filter(named), ...all.filter((hit) => !named(hit))];
  };

  const isCause = (page) => page.kind === "docs/causes";

  // isMessage tells a line that was pasted from what a person types: no word of it is half typed or misspelt, and most of
  // its words stand in no page.
  const isMessage = (question, words) => words.length > 6 && /[\d":=]/.test(question);

  // ranked puts the pages of causes first, and among them those that have words of the message side by side, as it has them.
  const ranked = (hits, words) => {
    const pairs = new Set(words.slice(1).map((word, i) => ` ${words[i]} ${word} `));
    const top = hits.slice(0, 40).map((hit) => {
      const text = ` ${hit.page.parts.map((p) => terms(p).join(" ")).join(" | ")} `;
      const count = [...pairs].filter((pair) => text.includes(pair)).length;
      return { ...hit, score: hit.score * (1 + count) };
    });
    return [...top.sort((a, b) => isCause(b.page) - isCause(a.page) || b.score - a.score), ...hits.slice(40)];
  };

  const terms = (part) => tokenize(`${part.heading ?? ""} ${part.text}`).map(processTerm).filter(Boolean);

  // best is the part of a page with most of the words that were found in it: the first, if its title has all.
  const best = ({ page, terms: wanted, asked }) => {
    const title = terms({ text: `${page.title} ${id(page)}` });
    if (asked.every((word) => title.includes(word))) return page.parts[0];
    let most = -1, found;
    for (const part of page.parts) {
      const has = new Set(terms(part));
      const count = wanted.filter((word) => has.has(word)).length;
      if (count > most) [most, found] = [count, part];
    }
    return found;
  };

  // excerpt is the text around the words that were found, with these marked.
  const excerpt = (text, wanted) => {
    const line = document.createElement("small");
    const word = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.join("|")})(?![\\p{L}\\p{N}])`, "giu");
    const places = [...text.matchAll(word)].map((m) => m.index);
    const within = (start) => places.filter((p) => p >= start && p < start + 160).length;
    const from = places.reduce((a, p) => within(p) > within(a) ? p : a, places[0] ?? 0);
    const start = from < 40 ? 0 : text.lastIndexOf(" ", from - 30) + 1;
    const piece = text.slice(start, start + 220);
    if (start > 0) line.append("... ");
    let at = 0;
    for (const m of piece.matchAll(word)) {
      const marked = document.createElement("mark");
      marked.textContent = m[0];
      line.append(piece.slice(at, m.index), marked);
      at = m.index + m[0].length;
    }
    line.append(piece.slice(at), start + 220 < text.length ? " ..." : "");
    return line;
  };

  const row = (hit, i) => {
    const page = hit.page, part = best(hit);
    const item = document.createElement("li");
    item.id = `found-${i}`;
    item.role = "option";
    const link = document.createElement("a");
    link.href = new URL(page.url + (part.id ? `#${part.id}` : ""), root);
    link.tabIndex = -1;
    const title = document.createElement("b");
    title.textContent = page.title;
    link.append(title, part.heading ? `: ${part.heading}` : "", excerpt(part.text, hit.terms));
    item.append(link);
    return item;
  };

  let selected = -1;
  const select = (i) => {
    list.children[selected]?.setAttribute("aria-selected", "false");
    selected = i;
    const item = list.children[i];
    item?.setAttribute("aria-selected", "true");
    item?.scrollIntoView({ block: "nearest" });
    if (item) input.setAttribute("aria-activedescendant", item.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const open = (yes) => {
    panel.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
  };

  let asked = 0, answered;
  const answer = async () => {
    const question = input.value.trim();
    const turn = ++asked;
    if (question === "") {
      list.replaceChildren();
      select(-1);
      open(false);
      return;
    }
    let hits = [], trouble = "";
    try {
      hits = await find(question);
    } catch (e) {
      trouble = `Search failed: ${e.message}`;
      loading = undefined; // the next question tries again
    }
    if (turn !== asked) return; // something else was typed meanwhile
    list.replaceChildren(...hits.slice(0, shown).map(row));
    select(hits.length > 0 ? 0 : -1);
    const pages = hits.length === 1 ? "1 page" : `${hits.length} pages`;
    status.textContent = trouble || (hits.length === 0 ? "No results. Try fewer words, or the name of the component."
      : hits.length > shown ? `${shown} of ${pages}` : pages);
    keys.hidden = hits.length === 0;
    panel.scrollTop = 0;
    open(true);
  };

  const ask = () => { answered = answer(); };
  input.addEventListener("input", ask);
  input.addEventListener("focus", () => {
    if (input.value.trim() !== "") ask();
    else load().catch(() => {}); // it is told when something is asked
  });
  input.addEventListener("keydown", (e) => {
    const rows = list.children.length;
    if (e.key === "ArrowDown" && rows > 0) select((selected + 1) % rows);
    else if (e.key === "ArrowUp" && rows > 0) select((selected + rows - 1) % rows);
    else if (e.key === "Escape") open(false);
    else return;
    e.preventDefault();
  });
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    await answered;
    list.children[selected]?.querySelector("a").click();
  });
  document.addEventListener("keydown", (e) => {
    const typing = e.target.closest?.("input, textarea, select, [contenteditable]");
    if (e.key !== "/" || typing || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    input.focus();
    input.select();
  });
  form.addEventListener("focusout", (e) => { if (!form.contains(e.relatedTarget)) open(false); });
})();
