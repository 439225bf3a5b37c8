// What the screens of collections share: calls, small elements, places in texts.
"use strict";
window.lyditeScreen = (screen) => {
  const part = (name) => screen.querySelector(`[data-part="${name}"]`);

  async function call(url, body) {
    const options = { headers: { Accept: "application/json" }, credentials: "same-origin" };
    if (body !== undefined) {
      options.method = "POST";
      options.body = JSON.stringify(body);
      options.headers["Content-Type"] = "application/json";
      options.headers["X-CSRFToken"] = screen.dataset.csrf;
    }
    const response = await fetch(url, options);
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.detail || `the server answered ${response.status}`), { told: answer });
    return answer;
  }

  function element(tag, text, attributes = {}) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  function say(text) {
    part("said").textContent = text;
  }

  function fail(error) {
    part("error").textContent = error.message;
    part("error").hidden = false;
  }

  function sound() {
    part("error").hidden = true;
  }

  // Offsets count characters; a string of JavaScript counts halves of some.
  function marked(text, marks) {
    const characters = Array.from(text);
    const pieces = [];
    let at = 0;
    for (const [start, end, kind] of [...marks].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
      if (start < at) continue;
      pieces.push(characters.slice(at, start).join(""), element("mark", characters.slice(start, end).join(""), { class: `name ${kind}` }));
      at = end;
    }
    pieces.push(characters.slice(at).join(""));
    return pieces;
  }

  const isTyping = (event) => ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);

  return { part, call, element, say, fail, sound, marked, isTyping };
};
