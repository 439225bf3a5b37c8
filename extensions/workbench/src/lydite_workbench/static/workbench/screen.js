// What the screens share that people work on by keyboard: calls, small elements, what is said, places in texts.
"use strict";
window.lyditeScreen = (screen) => {
  const WAITS = [300, 1000, 3000, 6000];
  const part = (name) => screen.querySelector(`[data-part="${name}"]`);
  const pause = (time) => new Promise((done) => setTimeout(done, time));

  async function call(url, body, send = fetch) {
    const options = { headers: { Accept: "application/json" }, credentials: "same-origin" };
    if (body !== undefined) {
      options.method = "POST";
      options.body = JSON.stringify(body);
      Object.assign(options.headers, { "Content-Type": "application/json", "X-CSRFToken": screen.dataset.csrf });
    }
    const response = await send(url, options);
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw Object.assign(new Error(answer.detail || `the server answered ${response.status}`), { told: answer });
    return answer;
  }

  async function attempt(url, options) {
    const response = await fetch(url, options);
    if (response.status >= 500) throw new Error(`the server answered ${response.status}`);
    return response;
  }

  async function patiently(url, options) {
    for (const wait of WAITS) {
      try {
        return await attempt(url, options);
      } catch {
        await pause(wait);
      }
    }
    return attempt(url, options);
  }

  // What got no answer is sent again: only for what the server keeps once if it comes twice.
  const callAgain = (url, body) => call(url, body, patiently);

  function element(tag, text, attributes = {}) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  // A button that says its key; nobody needs the mouse for it.
  function keyed(key, label, act, attributes = {}) {
    const button = element("button", undefined, { type: "button", ...attributes });
    button.append(element("kbd", key), ` ${label}`);
    button.addEventListener("click", act);
    return button;
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

  // Nothing more is taken: what is on the screen is no longer what is stored.
  function stop(error) {
    fail(new Error(`Not stored: ${error.message}. Reload the page to go on with what is stored.`));
    screen.dataset.broken = "yes";
    part("error").focus();
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

  return { part, call, callAgain, element, keyed, say, fail, sound, stop, marked, isTyping };
};
