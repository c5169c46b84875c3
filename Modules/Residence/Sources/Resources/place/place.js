// Adds the place of the phone to the check-in of a resident who agreed to it. Without it the check-in goes as it is.
import { onPage } from "pinktower/core.js";

/** The milliseconds that the phone may take, and for which a place is still true. */
const patience = 10_000;

class PlacePage extends HTMLElement {
  /** @type {AbortController | null} */
  life = null;

  connectedCallback() {
    this.life = new AbortController();
    // The page may have been open since the morning.
    document.addEventListener("visibilitychange", () => document.hidden || this.look(), { signal: this.life.signal });
    // A refreshed page has new forms.
    onPage(() => this.isConnected && this.look());
    this.look();
  }

  disconnectedCallback() {
    this.life?.abort();
  }

  look() {
    navigator.geolocation?.getCurrentPosition(({ coords }) => this.fill(coords), () => {
      // The phone does not know its place, or its owner refused.
    }, { timeout: patience, maximumAge: patience, enableHighAccuracy: true });
  }

  /** @param {GeolocationCoordinates} coords */
  fill({ latitude, longitude, accuracy }) {
    for (const form of document.querySelectorAll("form[action$='/check-in'], form[action$='/check-out']")) {
      for (const [name, value] of Object.entries({ latitude, longitude, accuracy: Math.round(accuracy) })) {
        const known = form.querySelector(`input[name=${name}]`);
        const field = known instanceof HTMLInputElement ? known : document.createElement("input");
        field.type = "hidden";
        field.name = name;
        field.value = String(value);
        if (!known) form.append(field);
      }
    }
    this.dataset.found = "";
  }
}

customElements.define("pt-place", PlacePage);
