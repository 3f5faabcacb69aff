/** Passkeys on the login page, which works without this script by password. bin/browser-scripts.ts bundles it. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'

/** A refusal of the service, in its own words. */
class Refusal extends Error {}

async function post<T>(path: string, body: object = {}): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Refusal(answer.message)
  return answer
}

async function signIn(back: string): Promise<void> {
  const path = '/user/login/passkey'
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(`${path}/options`)
  await post(path, { response: await startAuthentication({ optionsJSON: options }) })
  location.assign(back)
}

const offer = document.querySelector<HTMLElement>('[data-passkey]')
const line = document.querySelector<HTMLElement>('[data-passkey-refusal]')
const elsewhere = document.querySelector<HTMLElement>('[data-passkey-elsewhere]')
// A passkey works at the host name that it was made for, and at no numeric address (WebAuthn, 5.1.3).
if (elsewhere && offer?.dataset.passkey !== location.origin) elsewhere.hidden = false
else if (offer && line && browserSupportsWebAuthn()) {
  offer.hidden = false
  offer.querySelector('button')?.addEventListener('click', () => {
    line.hidden = true
    signIn(offer.dataset.return ?? '/portal/').catch((error: unknown) => {
      line.textContent = error instanceof Refusal ? error.message : 'The passkey was not used. Try again.'
      line.hidden = false
    })
  })
}
