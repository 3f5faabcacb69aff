import type { Connection } from '../../api/operations.d.ts'

export type Provider = Connection['provider']

interface ProviderWords {
  name: string
  hint: string
  /** The provider's own names of user name and password; null when the service fills it in. */
  username: string | null
  secret: string | null
  /** Where to find them, in at most three lines. */
  where: readonly string[]
}

/** The instructions for each provider. */
export const PROVIDERS: Readonly<Record<Provider, ProviderWords>> = {
  ses: {
    name: 'Amazon SES',
    hint: 'An SMTP user of your account.',
    username: 'SMTP user name',
    secret: 'SMTP password',
    where: [
      'In the console open SES, then SMTP settings, then Create SMTP credentials.',
      'Take the endpoint of your region as the host, such as email-smtp.eu-north-1.amazonaws.com.',
      'A new account is in the sandbox of SES: ask for production access before you send to others.',
    ],
  },
  sendgrid: {
    name: 'SendGrid',
    hint: 'An API key that may send mail.',
    username: null,
    secret: 'API key',
    where: ['Open Settings, then API Keys, then Create API Key.', 'Restricted Access with Mail Send is enough.'],
  },
  mailgun: {
    name: 'Mailgun',
    hint: 'The SMTP login of a sending domain.',
    username: 'SMTP login',
    secret: 'SMTP password',
    where: [
      'Open Sending, then Domains, then the domain, then SMTP credentials.',
      'Domains of the EU region use smtp.eu.mailgun.org as the host.',
    ],
  },
  postmark: {
    name: 'Postmark',
    hint: 'The token of a server, with its broadcast stream.',
    username: 'Server API token',
    secret: 'Server API token, again',
    where: ['Open the server, then API Tokens.', 'Newsletters leave through the broadcast stream.'],
  },
  brevo: {
    name: 'Brevo',
    hint: 'The SMTP login of your account.',
    username: 'SMTP login',
    secret: 'SMTP key',
    where: ['Open SMTP & API, then SMTP. The login is an address; the key is made there.'],
  },
  resend: {
    name: 'Resend',
    hint: 'An API key that may send.',
    username: null,
    secret: 'API key',
    where: ['Open API Keys, then Create API Key, with sending access.'],
  },
  smtp: {
    name: 'Own server',
    hint: 'Any server that takes mail by SMTP.',
    username: 'User name',
    secret: 'Password',
    where: [
      'Port 587 with STARTTLS is usual; 465 is TLS from the start.',
      'A server in the same network may need no login.',
    ],
  },
  sandbox: {
    name: 'Sandbox',
    hint: 'Messages are kept here. Nobody gets one.',
    username: null,
    secret: null,
    where: [],
  },
}

/** Whether the user names the host of the relay; the service knows the others. */
export function hasHost(provider: Provider): boolean {
  return provider === 'smtp' || provider === 'ses' || provider === 'mailgun'
}

/** The providers in the order of the page. */
export const PROVIDER_ORDER: readonly Provider[] = [
  'sandbox',
  'ses',
  'sendgrid',
  'mailgun',
  'postmark',
  'brevo',
  'resend',
  'smtp',
]
