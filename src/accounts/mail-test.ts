import type { Runtime } from '../runtime.ts'
import { compose } from './mail.ts'
import { mailTransportOf, senderOf } from './mail-transport.ts'
import { hostOf, message } from './message-templates.ts'

/** Sends a test of the service's own mail at once. Null when it was accepted, else what the relay said. */
export async function sendTestMessage(
  runtime: Runtime,
  { id, recipient }: Record<'id' | 'recipient', string>,
): Promise<string | null> {
  const transport = mailTransportOf(runtime)
  if (transport === null) return 'No mail can be sent: mail_url is not set.'
  const { base_url, clock } = runtime
  const now = clock.now()
  const from = senderOf(runtime)
  const content = message(base_url, {
    subject: 'A test of the mail of Masthead',
    paragraphs: [
      `The service at ${hostOf(base_url)} sent this message. Its password resets and invitations arrive, too.`,
    ],
    closing: 'You get this message because you asked for it.',
  })
  try {
    const outcome = await transport.send(
      { from, to: recipient },
      compose(from, { id, recipient, created_at: now }, content, now),
    )
    return outcome.kind === 'sent' ? null : outcome.message
  } finally {
    await transport.close()
  }
}
