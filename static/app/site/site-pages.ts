import type { Page } from '../page.ts'

/** The pages about what visitors of the site see and send. */
export const CONTENT_PAGES: readonly Page[] = [
  { path: '/pages', source: 'site/site/pages', title: 'Pages' },
  { path: '/pages/new', source: 'site/site/page-editor', title: 'New page', role: 'editor', style: 'code' },
  { path: '/pages/:id', source: 'site/site/page-editor', title: 'Page', style: 'code' },
]
