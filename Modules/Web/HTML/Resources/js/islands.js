// Islands: custom elements whose modules come with the pages that hold them.
import { onPage } from "./core.js";

function load() {
  for (const island of document.querySelectorAll("[data-module]")) {
    void import(island.getAttribute("data-module") ?? "");
  }
}

onPage(load);
// The page that asked for this module is there already.
load();
