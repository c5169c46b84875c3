// Islands: custom elements whose modules come with the pages that hold them.
import { here, onPage } from "./core.js";

// The first worker of this device has seen neither this page nor its files: they are read once more through it, so that
// the island works without a network from now on.
if (!navigator.serviceWorker?.controller) {
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    for (const { name } of performance.getEntriesByType("resource")) if (name.includes("/assets/")) void fetch(name);
    void fetch(here(), { headers: { Accept: "text/html" } });
  }, { once: true });
}

function load() {
  for (const island of document.querySelectorAll("[data-module]")) {
    void import(island.getAttribute("data-module") ?? "");
  }
}

onPage(load);
// The page that asked for this module is there already.
load();
