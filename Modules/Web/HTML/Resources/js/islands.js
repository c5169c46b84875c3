// Loads the modules of islands (custom elements) with the pages that hold them.
import { onPage } from "./core.js";

function load() {
  for (const island of document.querySelectorAll("[data-module]")) {
    void import(island.getAttribute("data-module") ?? "");
  }
}

onPage(load);
// The page that loaded this module is already there.
load();
