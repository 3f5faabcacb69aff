import { eq } from 'drizzle-orm'
import type { Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import { users } from '../store/tables/accounts.ts'
import { PORTAL_PATH } from './links.ts'
import { hostOf } from './message-templates.ts'
import { queueNotice, type Sender } from './notices.ts'

/** The text of a notice about an account: the subject of the mail, and a sentence on what happened. */
export interface Notice {
  subject: string
  sentence: string
}

/** Tells a user by mail what changed in the sign-in to the account. Wake the loop `mail` after the commit. */
export async function notifyUser(tx: Tx, sender: Sender, user_id: string, notice: Notice): Promise<void> {
  const { email } = one(await tx.select({ email: users.email }).from(users).where(eq(users.id, user_id)))
  const portal_url = sender.base_url + PORTAL_PATH
  const closing =
    `If it was not you, choose a new password at once: ${portal_url}/reset. ` +
    `Then look through your devices and sign-in methods: ${portal_url}/account/security`
  await tellOfAccount(tx, sender, email, { ...notice, closing })
}

/** As `notifyUser`, of what the operator of the service did to the account with an address. */
export async function notifyOfOperator(tx: Tx, sender: Sender, email: string, notice: Notice): Promise<void> {
  await tellOfAccount(tx, sender, email, {
    ...notice,
    closing: 'Ask the operator of the service if you do not know why.',
  })
}

async function tellOfAccount(
  tx: Tx,
  sender: Sender,
  email: string,
  { subject, sentence, closing }: Notice & { closing: string },
): Promise<void> {
  const paragraphs = [`This is about your account at ${hostOf(sender.base_url)}. ${sentence}`]
  await queueNotice(tx, sender, { kind: 'security_notice', recipients: [email] }, { subject, paragraphs, closing })
}

export const TOTP_ON: Notice = {
  subject: 'One-time codes were turned on',
  sentence: 'Signing in with your password now asks for a code of your authenticator app.',
}

export const TOTP_OFF: Notice = {
  subject: 'One-time codes were turned off',
  sentence: 'Signing in with your password no longer asks for a code of an authenticator app.',
}

export const RECOVERY_CODES_NEW: Notice = {
  subject: 'New recovery codes were made',
  sentence: 'The earlier recovery codes of your account no longer work.',
}

export const PASSKEY_ADDED = (name: string): Notice => ({
  subject: 'A passkey was added',
  sentence: `The passkey “${name}” now opens your account.`,
})

export const PASSKEY_REMOVED = (name: string): Notice => ({
  subject: 'A passkey was removed',
  sentence: `The passkey “${name}” no longer opens your account.`,
})
