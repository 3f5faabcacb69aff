import { errorFields } from '../log.ts'
import { composeSimple } from '../newsletter/delivery/mime.ts'
import type { Loop, LoopContext } from '../store/runtime.ts'
import { type Carrier, carrierOf, senderOf } from './carrier.ts'
import { type AccountMessage, anyDue, openLetter, putOff, settleFailed, settleSent, takeDue } from './messages.ts'
import { writeResetLetter } from './password-reset.ts'

/** Messages of one tick; each has its own try, and none waits long for another. */
const AT_ONCE = 10

/** Sends the service's own letters. */
export const mailLoop: Loop = { name: 'mail', pattern: '*/20 * * * * *', tick: sendLetters }

async function sendLetters(context: LoopContext): Promise<boolean> {
  const { store, clock } = context
  if (!(await anyDue(store.db, clock.now()))) return false
  const taken = await store.write((tx) => takeDue(tx, AT_ONCE, clock.now()))
  const carrier = carrierOf(context)
  try {
    await Promise.all(taken.map((message) => attempt(context, carrier, message).catch((error: unknown) => (
      context.log.error('a message of the service could not be handled', { message: message.id, kind: message.kind, ...errorFields(error) })
    ))))
  } finally {
    await carrier?.close()
  }
  return taken.length === AT_ONCE
}

async function attempt(context: LoopContext, carrier: Carrier | null, taken: AccountMessage): Promise<void> {
  const { store, keys, log, clock } = context
  const fields = { message: taken.id, kind: taken.kind }
  const message = await written(context, taken)
  if (message === null) return
  if (carrier === null) {
    await store.write((tx) => settleFailed(tx, message.id, 'No mail can be sent: mail_url is not set.'))
    log.warn('no mail can be sent: mail_url is not set', fields)
    return
  }
  const letter = openLetter(keys, message)
  if (letter === null || message.expires_at <= clock.now()) {
    await store.write((tx) => settleFailed(tx, message.id, letter === null ? 'It does not open with this secret key.' : 'It is out of date.'))
    log.warn('a message of the service was given up', { ...fields, error: letter === null ? 'It does not open with this secret key.' : 'It is out of date.' })
    return
  }
  const from = senderOf(context)
  const raw = composeSimple({
    ...letter,
    from: { email: from, name: 'Masthead' },
    to: { email: message.recipient },
    message_id: `account.${message.id}.${message.created_at.toString(36)}@${from.slice(from.lastIndexOf('@') + 1)}`,
    date_ms: clock.now(),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  const outcome = await carrier.send({ from, to: message.recipient }, raw)
  if (outcome.kind === 'sent') return store.write((tx) => settleSent(tx, message.id))
  const again = await store.write(async (tx) => {
    if (outcome.kind !== 'permanent') return putOff(tx, message, outcome.message, clock.now())
    await settleFailed(tx, message.id, outcome.message)
    return false
  })
  // The relay's own words may name the address.
  log.warn(again ? 'a message of the service was not taken; it is tried again' : 'a message of the service was given up', { ...fields, attempts: message.attempts, outcome: outcome.kind, stage: 'stage' in outcome ? outcome.stage : undefined, code: 'code' in outcome ? outcome.code : undefined })
}

/** The message with its letter; null when it turned out that there is nobody to write to. */
async function written(context: LoopContext, message: AccountMessage): Promise<AccountMessage | null> {
  return message.kind === 'password_reset' && message.content_sealed === null ? writeResetLetter(context, message) : message
}
