/** Readable labels for the audit log (docs/api/audit.md). An action without a label is shown by its own name. */

const NOUNS: Record<string, string> = {
  contacts: 'a contact',
  lists: 'a list',
  tags: 'a tag',
  segments: 'a segment',
  'custom-fields': 'a field',
  suppressions: 'a suppression',
  templates: 'a template',
  campaigns: 'a campaign',
  imports: 'an import',
  connections: 'a connection',
  jobs: 'a job',
  pages: 'a page',
  'cms/posts': 'a post',
  'directory/items': 'a directory entry',
  files: 'a picture',
  'site-files': 'a file of the site',
  'sign-up-forms': 'a sign-up form',
  'form-entries': 'form entries',
  'api-keys': 'an API key',
  members: 'a member',
  invitations: 'an invitation',
  scripts: 'a script',
}
const VERBS: Record<string, string> = {
  create: 'Created',
  add: 'Added',
  upload: 'Uploaded',
  update: 'Changed',
  duplicate: 'Duplicated',
  delete: 'Deleted',
  remove: 'Removed',
  revoke: 'Took back',
  send: 'Sent',
  publish: 'Published',
  schedule: 'Scheduled',
  unschedule: 'Unscheduled',
  pause: 'Paused',
  resume: 'Resumed',
  cancel: 'Canceled',
  fail: 'Stopped, after a failure,',
  finish: 'Finished',
  requeue: 'Tried again',
  completed: 'Finished',
  failed: 'Could not finish',
  cancelled: 'Canceled',
  commit: 'Began',
  'test-send': 'Sent a test of',
  test: 'Tested',
}
const OTHERS: Record<string, string> = {
  'contacts/upsert': 'Added or changed a contact',
  'contacts/unsubscribe': 'Unsubscribed a contact',
  'contacts/membership': 'Changed the lists of a contact',
  'contacts/tags': 'Changed the tags of a contact',
  'contacts/bulk': 'Changed many contacts',
  'contacts/reset-status': 'Took a bounced contact back',
  'contacts/export': 'Exported contacts',
  'campaigns/requeue-failed': 'Sent again to those who were not reached',
  'segments/materialize': 'Tagged the contacts of a segment',
  'settings/update': 'Changed the sender or the look of letters',
  'connections/verify-dns': 'Looked at the DNS of a connection',
  'project/create': 'Created the project',
  'project/update': 'Changed the project',
  'project/hand-over': 'Handed the project over',
  'domain/verify': 'Looked for the proof of the domain',
  'domain-end': 'Let the domain go: its proof was missing',
  'apps/disconnect': 'Removed an app',
  'scripts/switch': 'Switched a script',
  'scripts/settings': 'Changed whether visitors are asked',
  'letters/settings/update': 'Changed whose sent letters are public',
  'site-settings/update': 'Changed the settings of the site',
  'site-templates/update': 'Changed a template of the site',
  'site-templates/reset': 'Went back to the default template of the site',
  'dns/create-key': 'Made a DKIM key',
  'dns/delete-key': 'Deleted a DKIM key',
  'dns/verify': 'Looked at the DNS records',
  'form-settings/update': 'Changed who is told of a form, or how long its entries stay',
  'form-settings/reset': 'Went back to the settings of every other form',
  'imports/examine': 'Had a file checked',
  'imports/encoding': 'Changed how a file is read',
  'imports/refused': 'Downloaded the rows that were not imported',
  'imports/dry-run': 'Checked a file',
  'scripts/end-test': 'Ended the test of an app’s scripts',
  'project/delete': 'Deleted the project',
  'user/operator/projects/limits': 'Set the limits of the project',
  'general/api/v1/scripts/embed': 'Put a script on the pages',
  'general/api/v1/scripts/connection/:connectionId': 'Took a script off the pages',
  'general/newsletter/signup': 'Signed up',
  'general/newsletter/confirm/:token': 'Confirmed a subscription',
  'general/newsletter/unsubscribe/:token': 'Left by the link of a message',
  'general/newsletter/preferences/:token': 'Chose what to get',
  'general/newsletter/own-link/:project': 'Asked for a personal link',
  'general/newsletter/webhooks/:provider/:token': 'Reported what became of messages',
  'general/project/form/entry': 'Sent a form',
  'mailbox/clear': 'Emptied the mailbox',
  'invitation-accept': 'Accepted an invitation',
  'consent-grant': 'Let an app in',
  'consent-deny': 'Refused an app',
  'consent-revoke': 'Ended the access of an app',
  'token-revoke': 'Gave its access back',
  'token-theft': 'Lost its access: a code was used twice',
}

/** "Created a campaign" */
export function actionWords(action: string): string {
  const name = action.replace(/^[A-Z]+ \/project\//, '').replace(/^[A-Z]+ \//, '')
  const whole = OTHERS[name] ?? OTHERS[`project/${name}`]
  if (whole !== undefined) return whole
  const at = name.lastIndexOf('/')
  const noun = NOUNS[name.slice(0, at)]
  const verb = VERBS[name.slice(at + 1)]
  return noun === undefined || verb === undefined ? action : `${verb} ${noun}`
}

/** The actions that a filter offers. */
export const SOUGHT = [
  'campaigns/send',
  'campaigns/schedule',
  'campaigns/delete',
  'contacts/bulk',
  'contacts/delete',
  'contacts/unsubscribe',
  'imports/commit',
  'lists/delete',
  'settings/update',
  'POST /project/update',
  'POST /project/api-keys/create',
  'POST /project/api-keys/revoke',
  'POST /project/members/update',
  'POST /project/members/remove',
  'POST /project/invitations/create',
  'POST /project/scripts/switch',
  'POST /project/apps/disconnect',
] as const

const PLACES: Record<string, (id: string) => string> = {
  campaign: (id) => `/campaigns/${id}`,
  contact: (id) => `/contacts/${id}`,
  list: () => '/lists',
  tag: () => '/lists',
  custom_field: () => '/fields',
  segment: (id) => `/segments/${id}`,
  import: (id) => `/imports/${id}`,
  template: (id) => `/templates/${id}`,
  connection: (id) => `/sending/${id}`,
  page: (id) => `/pages/${id}`,
  post: (id) => `/posts/${id}`,
  script: () => '/apps',
  script_connection: () => '/apps',
  app: () => '/apps',
  authorization: () => '/apps',
  api_key: () => '/keys',
  member: () => '/members',
  user: () => '/members',
  invitation: () => '/members',
  job: () => '/activity',
}

/** The present names of things by kind and id, as the service gives them with the rows. */
type Found = Readonly<Record<string, string>>

type Details = Readonly<Record<string, unknown>>

/**
 * The name of what was changed, and its page below the project where it has one. What is gone has the name that it had,
 * and no page.
 */
export function targetWords(
  target: string,
  found: Found = {},
  details: Details = {},
): { text: string; path: string | null } {
  const [kind = '', id = ''] = target.split(':')
  const present = found[target]
  const former = typeof details.name === 'string' ? details.name : undefined
  const noun = kind.replaceAll('_', ' ')
  const text = present ?? former ?? (/^\d+$/.test(id) ? `${noun} ${id}` : noun)
  const isGone = present === undefined && former !== undefined
  return { text, path: isGone ? null : (PLACES[kind]?.(id) ?? null) }
}

/** "subject: “May” → “June”; changed: text; role: editor" */
export function detailWords({ name: _, ...details }: Details, found: Found = {}): string {
  return Object.entries(details)
    .flatMap(([name, value]) => (name === 'changes' ? changeWords(value) : [oneDetail(name, value, found)]))
    .join('; ')
}

function changeWords(changes: unknown): string[] {
  return Object.entries(changes as Record<string, readonly [unknown, unknown]>).map(
    ([field, [was, is]]) => `${wordsOf(field)}: ${valueWords(was)} → ${valueWords(is)}`,
  )
}

function oneDetail(name: string, value: unknown, found: Found): string {
  if (name === 'fields' && Array.isArray(value)) return `changed: ${value.map(wordsOf).join(', ')}`
  const kind = /^(.+)_id$/.exec(name)?.[1]
  const named = kind === undefined ? undefined : found[`${kind}:${String(value)}`]
  if (named !== undefined) return `${wordsOf(kind!)}: ${named}`
  return `${wordsOf(name)}: ${Array.isArray(value) ? value.join(', ') : plain(value)}`
}

function wordsOf(name: unknown): string {
  return String(name).replaceAll('_', ' ')
}

function valueWords(value: unknown): string {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? `“${value}”` : plain(value)
}

function plain(value: unknown): string {
  if (value === null) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
