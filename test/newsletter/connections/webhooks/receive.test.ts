import { expect, test } from 'bun:test'
import { webhookKind } from '../../../../src/newsletter/connections/webhooks/receive.ts'

test('Every provider has a kind of webhook.', () => {
  expect(
    (['smtp', 'sandbox', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo'] as const).map(webhookKind),
  ).toEqual(['mime', 'mime', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo'])
})
