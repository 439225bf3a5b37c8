// Shows how far an upload is; without this script the form works as any other.
"use strict";
(() => {
  const form = document.getElementById("send");
  if (!form) return;
  const shown = document.getElementById("sending");
  form.addEventListener("submit", (event) => {
    const file = form.elements.file.files[0];
    const output = shown.querySelector("output");
    if (file && file.size > Number(form.dataset.limit)) {
      event.preventDefault();
      shown.hidden = false;
      output.textContent = `The file has ${(file.size / 1e6).toFixed(1)} MB; this campaign takes at most ${form.dataset.limit / 1e6} MB.`;
      return;
    }
    event.preventDefault();
    const request = new XMLHttpRequest();
    const bar = shown.querySelector("progress");
    request.upload.addEventListener("progress", (step) => {
      if (step.lengthComputable) bar.value = (100 * step.loaded) / step.total;
    });
    request.addEventListener("load", () => {
      if (request.status < 400 && request.responseURL) {
        window.location.assign(request.responseURL);
        return;
      }
      document.open();
      document.write(request.responseText);
      document.close();
    });
    request.addEventListener("error", () => {
      output.textContent = "The connection broke off. Look among your runs whether the file arrived; if not, send it again.";
      form.querySelector("button").disabled = false;
    });
    request.open("POST", form.action);
    shown.hidden = false;
    form.querySelector("button").disabled = true;
    request.send(new FormData(form));
  });
})();
