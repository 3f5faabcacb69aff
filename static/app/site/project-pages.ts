import type { Page } from '../page.ts'

/** The pages about the project itself: its people, keys, settings, work and apps. */
export const PROJECT_PAGES: readonly Page[] = [
  { path: '/members', source: 'site/project/members', title: 'Members' },
  { path: '/keys', source: 'site/project/keys', title: 'API keys' },
  { path: '/settings', source: 'site/project/settings', title: 'Settings' },
]
