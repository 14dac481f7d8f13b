"use strict";
const inputs = ["search", "rule", "severity", "folder"].map((id) => document.getElementById(id));
const rows = [...document.querySelectorAll("tbody tr")];

function show() {
  const [search, rule, severity, folder] = inputs.map((input) => input.value);
  let shown = 0;
  for (const row of rows) {
    const is = row.dataset;
    row.hidden = !(
      row.cells[0].textContent.toLowerCase().includes(search.toLowerCase()) &&
      (!rule || is.rules.split(" ").includes(rule)) &&
      (!severity || is.severities.split(" ").includes(severity)) &&
      (!folder || is.folder === folder)
    );
    shown += !row.hidden;
  }
  document.getElementById("shown").value = `${shown} of ${rows.length}`;
}

for (const input of inputs) input.addEventListener("input", show);
document.forms[0].addEventListener("submit", (event) => event.preventDefault());
show();
