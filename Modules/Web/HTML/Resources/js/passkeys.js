// Passkeys (Web Authentication): asks the device before a form is sent and adds its answer.
import { decoded, encoded, onPage, post, word } from "./core.js";
import { toast } from "./feedback.js";

/**
 * Requests the challenge of this ceremony; `null` after a refusal, which is shown.
 * @param {HTMLFormElement} form
 */
async function options(form) {
  const password = form.elements.namedItem("password");
  const body = password instanceof HTMLInputElement ? { password: password.value } : {};
  const response = await post(form.dataset.passkeyOptions ?? "", body);
  const answer = await response.json();
  if (response.ok) return answer;
  toast(answer.errors?.[0]?.message ?? answer.title, "failure");
  return null;
}

/** @param {any} wanted @returns {Promise<Record<string, string>>} */
async function create(wanted) {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: decoded(wanted.challenge),
      rp: { id: wanted.relyingParty, name: wanted.relyingPartyName },
      user: { id: decoded(wanted.userId), name: wanted.userName, displayName: wanted.displayName },
      pubKeyCredParams: wanted.algorithms.map((/** @type {number} */ alg) => ({ type: "public-key", alg })),
      excludeCredentials: wanted.known.map((/** @type {string} */ id) => ({ type: "public-key", id: decoded(id) })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
    },
  });
  const response = /** @type {AuthenticatorAttestationResponse} */ (/** @type {PublicKeyCredential} */ (made).response);
  return { clientData: encoded(response.clientDataJSON), attestation: encoded(response.attestationObject) };
}

/** @param {any} wanted @returns {Promise<Record<string, string>>} */
async function use(wanted) {
  const shown = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({
    publicKey: { challenge: decoded(wanted.challenge), rpId: wanted.relyingParty, userVerification: "required" },
  }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (shown.response);
  return {
    passkeyId: encoded(shown.rawId), clientData: encoded(response.clientDataJSON),
    authenticatorData: encoded(response.authenticatorData), signature: encoded(response.signature),
    userHandle: encoded(response.userHandle),
  };
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function ask(form, submitter) {
  if (form.dataset.asking !== undefined) return;
  form.dataset.asking = "";
  const password = form.elements.namedItem("password");
  try {
    const wanted = await options(form);
    if (!wanted) return;
    const answer = await (form.dataset.passkey === "create" ? create(wanted) : use(wanted));
    for (const [name, value] of Object.entries(answer)) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
    form.dataset.answered = "";
    // The password was sent with the request for the challenge; it is not sent twice.
    if (password instanceof HTMLInputElement) password.disabled = true;
    form.requestSubmit(submitter);
  } catch {
    // Canceled, timed out, or no passkey: browsers do not say which.
    toast(word("passkey"), "failure");
  } finally {
    if (password instanceof HTMLInputElement) password.disabled = false;
    delete form.dataset.asking;
    delete form.dataset.answered;
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.passkey || form.dataset.answered !== undefined) return;
  event.preventDefault();
  event.stopPropagation();
  void ask(form, event.submitter);
}, true);

function show() {
  if (!("PublicKeyCredential" in window)) return;
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    if (form instanceof HTMLFormElement) form.hidden = false;
  }
}
onPage(show);
show();
