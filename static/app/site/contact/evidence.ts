import type { Consent, ConsentDocument } from './history.ts'

/** A consent as plain text, as a proof for others. Times are in UTC. */

interface EvidenceAbout {
  project: string
  email: string
  /** The names of the lists; null for messages in general. */
  list: (id: number | null) => string
}

export function evidenceText({ given, list_ids, confirmed }: ConsentDocument, about: EvidenceAbout): string {
  const lines = [
    `Consent to receive messages from ${about.project}`,
    '',
    `Address: ${about.email}`,
    `For: ${list_ids.map(about.list).join(', ')}`,
    `${ACTIONS[given.action]}: ${moment(given.at)}, ${sourceWords(given.source)}`,
    ...personLines(given),
    given.text === '' ? 'No wording was kept.' : `Wording: “${given.text}”`,
  ]
  if (confirmed) {
    lines.push(
      '',
      `Confirmed: ${moment(confirmed.at)}`,
      ...personLines(confirmed),
      'The address was sent one message with a link. Whoever reads its mail followed the link and pressed the button.',
    )
  }
  return `${lines.join('\n')}\n`
}

const ACTIONS: Record<Consent['action'], string> = { given: 'Given', confirmed: 'Confirmed', withdrawn: 'Withdrawn' }

function personLines({ ip, user_agent, caller }: Consent): string[] {
  return [
    ...(ip === null ? [] : [`From the network address: ${ip}`]),
    ...(user_agent === null ? [] : [`With: ${user_agent}`]),
    ...(caller ? [`Told by a program at ${caller.ip} (${caller.user_agent})`] : []),
  ]
}

/** "2026-05-03 14:02:11 UTC" */
function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

const SOURCES: Readonly<Record<string, string>> = {
  api: 'by a program or a colleague',
  bulk: 'by a change of many contacts',
  import: 'by an import',
  signup: 'by the sign-up form',
  'signup (unverified text)': 'by the sign-up form of a site, which sent the words',
  form: 'by a form of the site',
  preferences: 'on the preference page',
  confirmation: 'by the link in the confirmation message',
  unsubscribe_link: 'by the link in a message',
  unsubscribe_mail: 'by the unsubscribe button of a mail program',
  hard_bounce: 'after a hard bounce',
  complaint: 'after a complaint',
  unsubscribe: 'by opting out',
  manual: 'by hand',
}

/** The source of a consent, in words; a source that an integration named stays as it is. */
export function sourceWords(source: string): string {
  return SOURCES[source] ?? `from ${source}`
}
