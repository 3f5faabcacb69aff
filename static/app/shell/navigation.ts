import type { Role } from '../../../src/shared/roles.ts'
import type { Place } from '../../../src/shared/app-pages.ts'
import type { IconName } from '../ui/icon.tsx'

/** The names of the places; a site is called by the name of its project. */
export const PLACE_NAMES = { site: '', developer: 'Developer', operator: 'Operator', account: 'Your account' }

export interface NavigationEntry {
  /** The path below the document's root. */
  path: string
  label: string
  icon: IconName
  /** Shown from this role on. */
  role?: Role
  /** Further pages for which the entry is marked. */
  also?: string
  /** The second key after `g`. */
  key?: string
}

interface NavigationGroup {
  /** Null: the group has no heading. */
  label: string | null
  entries: readonly NavigationEntry[]
}

/** The side bar of each place. An entry whose page is not in the list of pages is not shown. */
export const NAVIGATION: Readonly<Record<Place['name'], readonly NavigationGroup[]>> = {
  site: [
    { label: null, entries: [{ path: '/', label: 'Home', icon: 'home', key: 'h' }] },
    {
      label: 'Newsletter',
      entries: [
        { path: '/campaigns', label: 'Campaigns', icon: 'mail', key: 'c' },
        { path: '/templates', label: 'Templates', icon: 'layers', key: 't' },
        { path: '/sending', label: 'Sending', icon: 'send', key: 's' },
      ],
    },
    {
      label: 'Audience',
      entries: [
        { path: '/contacts', label: 'Contacts', icon: 'users', key: 'p' },
        { path: '/segments', label: 'Segments', icon: 'filter' },
        { path: '/lists', label: 'Lists & tags', icon: 'list', key: 'l' },
        { path: '/imports', label: 'Imports', icon: 'upload', key: 'i' },
        { path: '/suppressions', label: 'Suppressions', icon: 'ban' },
        { path: '/fields', label: 'Fields', icon: 'braces' },
      ],
    },
    {
      label: 'Site',
      entries: [
        { path: '/pages', label: 'Pages', icon: 'file' },
        { path: '/posts', label: 'Posts', icon: 'pencil' },
        { path: '/directory', label: 'Directory', icon: 'table' },
        { path: '/forms', label: 'Forms', icon: 'file-text' },
        { path: '/files', label: 'Files', icon: 'image' },
        { path: '/apps', label: 'Apps & scripts', icon: 'plug', key: 'a' },
      ],
    },
    {
      label: 'Project',
      entries: [
        { path: '/activity', label: 'Activity', icon: 'history' },
        { path: '/members', label: 'Members', icon: 'user' },
        { path: '/keys', label: 'API keys', icon: 'key' },
        { path: '/settings', label: 'Settings', icon: 'settings' },
        { path: '/mailbox', label: 'Mailbox', icon: 'inbox', key: 'm' },
      ],
    },
  ],
  developer: [
    {
      label: null,
      entries: [
        { path: '/', also: '/apps', label: 'Apps', icon: 'plug', key: 'a' },
        { path: '/api', label: 'API', icon: 'code' },
      ],
    },
  ],
  operator: [
    {
      label: null,
      entries: [
        { path: '/reviews', also: '/', label: 'Reviews', icon: 'check', key: 'r' },
        { path: '/apps', label: 'Apps', icon: 'plug', key: 'a' },
        { path: '/projects', label: 'Projects', icon: 'layers', key: 'p' },
        { path: '/people', label: 'People', icon: 'users' },
        { path: '/health', label: 'Health', icon: 'activity', key: 'h' },
        { path: '/service', label: 'Service', icon: 'settings', key: 's' },
      ],
    },
  ],
  account: [
    {
      label: null,
      entries: [
        { path: '/', label: 'Account', icon: 'user' },
        { path: '/security', label: 'Security', icon: 'key' },
        { path: '/sessions', label: 'Sessions', icon: 'desktop' },
        { path: '/apps', label: 'Connected apps', icon: 'plug' },
      ],
    },
  ],
}
