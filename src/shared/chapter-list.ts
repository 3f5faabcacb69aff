/** Whom a chapter of the reference is for, in the order of the navigation. */
export const SECTIONS = {
  newsletter: 'Newsletter',
  apps: 'For apps',
  public: 'Without credentials',
  portal: 'Of the portal',
} as const

/** A page of the reference: calls that belong together. */
export interface Chapter {
  section: keyof typeof SECTIONS
  /** The last part of its address. */
  name: string
  title: string
}

/** The routes by the tags of their document. A tag may stand in several sections: who calls it decides. */
const CHAPTERS: readonly (Chapter & { tags: readonly string[] })[] = [
  { section: 'apps', name: 'oauth', title: 'OAuth', tags: ['oauth', 'token', 'app'] },
  { section: 'apps', name: 'projects', title: 'Projects', tags: ['project'] },
  { section: 'apps', name: 'content', title: 'Posts and directory', tags: ['cms', 'directory'] },
  { section: 'apps', name: 'scripts', title: 'Scripts', tags: ['scripts'] },
  { section: 'public', name: 'sign-up', title: 'Sign-up and forms', tags: ['signup', 'forms', 'form'] },
  {
    ...{ section: 'public', name: 'links', title: 'Links in messages' },
    tags: ['confirm', 'unsubscribe', 'preferences', 'view', 'own-link', 'open', 'click'],
  },
  { section: 'public', name: 'webhooks', title: 'Reports of mail providers', tags: ['webhooks'] },
  { section: 'public', name: 'gallery', title: 'Gallery of apps', tags: ['gallery'] },
  { section: 'public', name: 'service', title: 'Service and files', tags: ['service', 'files', 'mailbox'] },
  { section: 'portal', name: 'account', title: 'Account', tags: ['account'] },
  {
    ...{ section: 'portal', name: 'members', title: 'Project and members' },
    tags: ['project', 'domain', 'members', 'invitations', 'api-keys', 'audit', 'jobs'],
  },
  {
    ...{ section: 'portal', name: 'site', title: 'Pages, posts and files' },
    tags: ['pages', 'cms', 'directory', 'files', 'site-files', 'site-templates', 'site-settings'],
  },
  {
    ...{ section: 'portal', name: 'forms', title: 'Forms' },
    tags: ['form-entries', 'form-settings', 'sign-up-forms'],
  },
  {
    ...{ section: 'portal', name: 'sending', title: 'Sending and imports' },
    tags: ['connections', 'dns', 'deliverability', 'letters', 'imports', 'mailbox'],
  },
  { section: 'portal', name: 'apps', title: 'Apps of a project', tags: ['apps', 'scripts'] },
  { section: 'portal', name: 'developer', title: 'Developer', tags: ['developer'] },
  { section: 'portal', name: 'operator', title: 'Operator', tags: ['operator'] },
]

const OF_THE_PORTAL: ReadonlySet<string> = new Set(['account', 'developer', 'operator'])

/** The chapter of a call. An operation has that of its resource; a route with an unknown tag gets one of its own. */
export function chapterOfCall({ name, group, auth }: { name: string; group: string; auth: string }): Chapter {
  const isOperation = !name.includes(' ')
  const section = isOperation ? 'newsletter' : sectionOf(group, auth)
  const known = CHAPTERS.find((chapter) => chapter.section === section && chapter.tags.includes(group))
  return known ?? { section, name: group, title: inWords(group) }
}

function sectionOf(tag: string, auth: string): Chapter['section'] {
  if (OF_THE_PORTAL.has(tag) || auth === 'session') return 'portal'
  return tag === 'oauth' || auth !== 'none' ? 'apps' : 'public'
}

/** As the table of contents has them. */
export function inOrder(one: Chapter, other: Chapter): number {
  return placeOf(one) - placeOf(other)
}

function placeOf({ section, name }: Chapter): number {
  const at = CHAPTERS.findIndex((chapter) => chapter.section === section && chapter.name === name)
  return at === -1 ? CHAPTERS.length : at
}

/** "Custom fields" of `custom-fields`. */
function inWords(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
