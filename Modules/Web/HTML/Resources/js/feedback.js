// Feedback after an action: toasts, the burst, vibration and questions.
import { around, button, delay, element, icon, onPage, word } from "./core.js";

/**
 * Vibration patterns in milliseconds.
 * @type {Record<string, number[]>}
 */
const patterns = { success: [12, 40, 18], warning: [30, 40, 30], lightTap: [8], softImpact: [14] };

/**
 * Vibrates. Does nothing before the first touch of the page has ended, because browsers forbid it until then.
 * @param {string | undefined} kind
 */
export function haptics(kind) {
  const pattern = kind && patterns[kind];
  const { userActivation } = /** @type {{ userActivation?: { hasBeenActive: boolean } }} */ (/** @type {unknown} */ (navigator));
  if (pattern && userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

// Important buttons vibrate at once.
document.addEventListener("pointerdown", (event) => {
  const button = around(event, ".pt-button--primary, .pt-fab");
  if (button?.matches(":not(:disabled)")) haptics("softImpact");
});

/**
 * Removes a message after its time, unless it has the focus or the pointer.
 * @param {HTMLElement} message
 */
function expire(message) {
  const wait = delay(message.classList.contains("pt-celebration") ? "burst" : "toast");
  let timer = 0;
  const leave = () => {
    message.dataset.leaving = "";
    setTimeout(() => message.remove(), 300);
  };
  const start = () => (timer = window.setTimeout(leave, wait));
  const stop = () => clearTimeout(timer);
  message.addEventListener("pointerenter", stop);
  message.addEventListener("pointerleave", start);
  message.addEventListener("focusin", stop);
  message.addEventListener("focusout", start);
  start();
}

/**
 * Shows a short message at the bottom.
 * @param {string} text @param {"success" | "info" | "failure"} [tone]
 */
export function toast(text, tone = "info") {
  const place = document.getElementById("pt-toasts");
  if (!place || !text) return;
  if ([...place.children].some((other) => other.textContent === text)) return;
  const glyph = tone === "failure" ? "alert" : tone === "success" ? "check" : "info";
  const made = element("div", "pt-toast", icon(glyph, "pt-icon--small"), element("span", "pt-toast__text", text));
  made.setAttribute("role", tone === "failure" ? "alert" : "status");
  made.dataset.seen = "";
  place.append(made);
  if (tone === "failure") haptics("warning");
  expire(made);
}

onPage(() => {
  for (const message of document.querySelectorAll("#pt-toasts > :not([data-seen])")) {
    if (!(message instanceof HTMLElement)) continue;
    message.dataset.seen = "";
    haptics(message.dataset.haptics);
    expire(message);
  }
});

/**
 * Asks for confirmation. The cancelling answer has the focus.
 * @param {{ title: string, message?: string, yes: string, isDestructive: boolean }} question
 * @param {Element | null} [opener] where the focus goes back to
 * @returns {Promise<boolean>}
 */
export function ask(question, opener = document.activeElement) {
  const no = button(word("cancel"), "neutral", () => dialog.close());
  const yes = button(question.yes, question.isDestructive ? "danger" : "primary", () => dialog.close("yes"));
  const title = element("h2", "t-title3", question.title);
  title.id = "pt-ask-title";
  const body = element("div", "pt-ask__body", title);
  if (question.message) body.append(element("p", "t-muted", question.message));
  const dialog = element("dialog", "pt-ask", body, element("div", "pt-ask__buttons", no, yes));
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.dataset.keep = "";
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.onclick = (event) => event.target === dialog && dialog.close();
    dialog.onclose = () => {
      dialog.remove();
      // The menu that asked is closed, so the focus returns to its row.
      const place = opener?.closest("details[data-menu]")?.closest("[data-context]")?.querySelector("a, button") ?? opener;
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      resolve(dialog.returnValue === "yes");
    };
    dialog.showModal();
    no.focus();
  });
}

/**
 * Asks a form's question before it is sent; resolves to true without a question.
 * @param {HTMLFormElement} form @param {Element | null} [opener]
 */
export async function confirmed({ dataset: { confirm, confirmMessage, confirmYes, confirmDestructive } }, opener) {
  return !confirm || ask({ title: confirm, message: confirmMessage, yes: confirmYes ?? "", isDestructive: confirmDestructive !== undefined }, opener);
}
