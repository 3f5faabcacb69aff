import { errorFields, type LogFields } from '../log.ts'
import { composeSimple } from '../mail/mime.ts'
import type { SmtpOutcome } from '../mail/smtp-pool.ts'
import type { Loop, LoopContext } from '../runtime.ts'
import { AT_ONCE, type Carrier, carrierOf, senderOf } from './mail-transport.ts'
import type { Letter } from './message-templates.ts'
import { type AccountMessage, anyDue, openLetter, putOff, settleFailed, settleSent, takeDue } from './messages.ts'
import { writeResetLetter } from './password-reset.ts'

/** Sends the service's own letters. */
export const mailLoop: Loop = { name: 'mail', pattern: '*/20 * * * * *', tick: sendLetters }

async function sendLetters(context: LoopContext): Promise<boolean> {
  const { store, clock, log } = context
  if (!(await anyDue(store.db, clock.now()))) return false
  const taken = await store.write((tx) => takeDue(tx, AT_ONCE, clock.now()))
  const carrier = carrierOf(context)
  const forgive = (error: unknown) =>
    log.error('a message of the service could not be handled; it is tried again', errorFields(error))
  try {
    await Promise.all(taken.map((message) => attempt(context, carrier, message).catch(forgive)))
  } finally {
    await carrier?.close()
  }
  return taken.length === AT_ONCE
}

async function attempt(context: LoopContext, carrier: Carrier | null, taken: AccountMessage): Promise<void> {
  // Whether somebody has the address of a password reset is looked up here: the request did not, so its time tells nothing.
  const message =
    taken.kind === 'password_reset' && taken.content_sealed === null ? await writeResetLetter(context, taken) : taken
  if (message === null) return
  const { keys, clock } = context
  if (carrier === null) return giveUp(context, message, 'No mail can be sent: mail_url is not set.')
  if (message.expires_at <= clock.now()) return giveUp(context, message, 'It is out of date.')
  const letter = openLetter(keys, message)
  if (letter === null) return giveUp(context, message, 'It does not open with this secret key.')
  const from = senderOf(context)
  await settle(
    context,
    message,
    await carrier.send({ from, to: message.recipient }, compose(from, message, letter, clock.now())),
  )
}

function compose(from: string, { id, recipient, created_at }: AccountMessage, letter: Letter, now: number): Buffer {
  return composeSimple({
    ...letter,
    from: { email: from, name: 'Masthead' },
    to: { email: recipient },
    message_id: `account.${id}.${created_at.toString(36)}@${from.slice(from.lastIndexOf('@') + 1)}`, // the same at every attempt
    date_ms: now,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}

async function settle(context: LoopContext, message: AccountMessage, outcome: SmtpOutcome): Promise<void> {
  const { store, clock, log } = context
  if (outcome.kind === 'sent') return store.write((tx) => settleSent(tx, message.id))
  // The relay's words may name the address: they are kept in the table, not in the log.
  const fields: LogFields = {
    ...about(message),
    outcome: outcome.kind,
    ...(outcome.kind === 'uncertain' ? {} : { stage: outcome.stage, code: outcome.code }),
  }
  const isRefused = outcome.kind === 'permanent' && outcome.scope === 'recipient' // a relay that refuses us may be told better
  const again = await store.write(async (tx) =>
    isRefused ? settleFailed(tx, message.id, outcome.message) : putOff(tx, message, outcome.message, clock.now()),
  )
  log.warn(
    again ? 'a message of the service was not taken; it is tried again' : 'a message of the service was given up',
    fields,
  )
}

async function giveUp({ store, log }: LoopContext, message: AccountMessage, why: string): Promise<void> {
  await store.write((tx) => settleFailed(tx, message.id, why))
  log.warn(`a message of the service was not sent. ${why}`, about(message))
}

function about({ id, kind, attempts }: AccountMessage): LogFields {
  return { message: id, kind, attempts }
}
