/**
 * Passkeys on the login, confirmation and account pages, which work without this script by password. bin/browser-scripts.ts
 * bundles it into passkeys.js.
 */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'

const ACCOUNT = '/portal/account/security'

/** A refusal of the service, in its own words. */
class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

async function post<T>(path: string, body: object = {}): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Refusal(answer.error, answer.message)
  return answer
}

async function answerWith(path: string, back: string): Promise<void> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(`${path}/options`)
  await post(path, { response: await startAuthentication({ optionsJSON: options }) })
  location.assign(back)
}

async function register(form: HTMLFormElement): Promise<void> {
  const name = String(new FormData(form).get('name') ?? '')
  const { options } = await post<{ options: PublicKeyCredentialCreationOptionsJSON }>('/user/passkeys/options')
  await post('/user/passkeys', { name, response: await startRegistration({ optionsJSON: options }) })
  location.assign(`${ACCOUNT}?done=passkey-added`)
}

function run(work: () => Promise<void>): void {
  const line = document.querySelector<HTMLElement>('[data-passkey-refusal]')
  if (line) line.hidden = true
  work().catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'confirmation_required') {
      location.assign(`/portal/account/confirm?return=${encodeURIComponent(ACCOUNT)}`)
      return
    }
    if (!line) return
    line.textContent = sentenceOf(error)
    line.hidden = false
  })
}

function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey for your account already.'
  return 'The passkey was not used. Try again.'
}

if (browserSupportsWebAuthn()) {
  for (const element of document.querySelectorAll<HTMLElement>('[data-passkey]')) {
    element.hidden = false
    const { passkey, return: back = '/portal/' } = element.dataset
    if (element instanceof HTMLFormElement)
      element.addEventListener('submit', (event) => {
        event.preventDefault()
        run(() => register(element))
      })
    else
      element
        .querySelector('button')
        ?.addEventListener('click', () =>
          run(() => answerWith(passkey === 'sign-in' ? '/user/login/passkey' : '/user/confirm/passkey', back)),
        )
  }
}
