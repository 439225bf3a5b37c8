// Calls of the API from a screen.  What got no answer is sent again: the server keeps a judgement that comes twice once.
"use strict";
window.lyditeCall = (() => {
  const WAITS = [300, 1000, 3000, 6000];
  const pause = (time) => new Promise((done) => setTimeout(done, time));

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

  return async (url, csrf, body) => {
    const options = { headers: { Accept: "application/json" }, credentials: "same-origin" };
    if (body !== undefined) {
      options.method = "POST";
      options.body = JSON.stringify(body);
      Object.assign(options.headers, { "Content-Type": "application/json", "X-CSRFToken": csrf });
    }
    const response = await patiently(url, options);
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.detail || `the server answered ${response.status}`);
    return answer;
  };
})();
