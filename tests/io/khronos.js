// Reads paths of glTF files, one a line, and answers each with its issues as one line of JSON.
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");
const validator = require("gltf-validator");

async function answer(file) {
  try {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      maxIssues: 0,
      writeTimestamp: false,
      externalResourceFunction: (uri) =>
        fs.promises.readFile(path.resolve(path.dirname(file), decodeURIComponent(uri))),
    });
    return { issues: report.issues.messages };
  } catch (error) {
    return { refused: String(error) };
  }
}

async function main() {
  for await (const file of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(await answer(file)) + "\n");
  }
}

main();
