import { errorFields, type LogFields } from '../log.ts'
import { composeSimple } from '../mail/mime.ts'
import type { SmtpOutcome } from '../mail/smtp-outcome.ts'
import type { Loop, LoopContext } from '../runtime.ts'
import type { MailTransport } from '../mail/sandbox.ts'
import { AT_ONCE, mailTransportOf, senderOf } from './mail-transport.ts'
import type { MessageContent } from './message-templates.ts'
import {
  type AccountMessage,
  anyDue,
  unsealContent,
  retryLater,
  settleFailed,
  settleSent,
  takeDue,
} from './messages.ts'
import { fillResetMessage } from './password-reset.ts'
import { fillSignUpMessage } from './sign-up.ts'

/** Sends account messages. */
export const mailLoop: Loop = { name: 'mail', pattern: '*/20 * * * * *', tick: sendMessages }

async function sendMessages(context: LoopContext): Promise<boolean> {
  const { store, clock, log } = context
  if (!(await anyDue(store.db, clock.now()))) return false
  const taken = await store.write((tx) => takeDue(tx, AT_ONCE, clock.now()))
  const transport = mailTransportOf(context)
  const forgive = (error: unknown) =>
    log.error('an account message could not be processed; it will be retried', errorFields(error))
  try {
    await Promise.all(taken.map((message) => attempt(context, transport, message).catch(forgive)))
  } finally {
    await transport?.close()
  }
  return taken.length === AT_ONCE
}

async function attempt(context: LoopContext, transport: MailTransport | null, taken: AccountMessage): Promise<void> {
  const message = taken.content_sealed === null ? await fill(context, taken) : taken
  if (message === null) return
  const { keys, clock } = context
  if (transport === null) return fail(context, message, 'No mail can be sent: mail_url is not set.')
  if (message.expires_at <= clock.now()) return fail(context, message, 'The message has expired.')
  const content = unsealContent(keys, message)
  if (content === null) return fail(context, message, 'The content cannot be decrypted with this secret key.')
  const from = senderOf(context)
  await settle(
    context,
    message,
    await transport.send({ from, to: message.recipient }, compose(from, message, content, clock.now())),
  )
}

/**
 * Writes a message that was queued without content. Accounts are looked up here and not in the request, so that
 * response times reveal none. Null when nothing is to be sent.
 */
async function fill(context: LoopContext, taken: AccountMessage): Promise<AccountMessage | null> {
  if (taken.kind === 'password_reset') return fillResetMessage(context, taken)
  return taken.kind === 'sign_up' ? fillSignUpMessage(context, taken) : taken
}

/** The message as it is handed over. Its Message-ID comes from `id` and is the same at every attempt. */
export function compose(
  from: string,
  { id, recipient, created_at }: Pick<AccountMessage, 'recipient' | 'created_at'> & { id: number | string },
  content: MessageContent,
  now: number,
): Buffer {
  return composeSimple({
    ...content,
    from: { email: from, name: 'Masthead' },
    to: { email: recipient },
    message_id: `account.${id}.${created_at.toString(36)}@${from.slice(from.lastIndexOf('@') + 1)}`,
    date_ms: now,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}

async function settle(context: LoopContext, message: AccountMessage, outcome: SmtpOutcome): Promise<void> {
  const { store, clock, log } = context
  if (outcome.kind === 'sent') return store.write((tx) => settleSent(tx, message.id))
  // The relay's answer may contain the address, so it is stored in the table and not logged.
  const fields: LogFields = {
    ...about(message),
    outcome: outcome.kind,
    ...(outcome.kind === 'uncertain' ? {} : { stage: outcome.stage, code: outcome.code }),
  }
  // A relay that refuses the service itself may accept it later; only a refused recipient is final.
  const isRefused = outcome.kind === 'permanent' && outcome.scope === 'recipient'
  const again = await store.write(async (tx) =>
    isRefused ? settleFailed(tx, message.id, outcome.message) : retryLater(tx, message, outcome.message, clock.now()),
  )
  log.warn(again ? 'an account message was not accepted; it will be retried' : 'an account message failed', fields)
}

async function fail({ store, log }: LoopContext, message: AccountMessage, why: string): Promise<void> {
  await store.write((tx) => settleFailed(tx, message.id, why))
  log.warn(`an account message was not sent. ${why}`, about(message))
}

function about({ id, kind, attempts }: AccountMessage): LogFields {
  return { message: id, kind, attempts }
}
