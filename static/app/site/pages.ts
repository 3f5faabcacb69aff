import type { Page } from '../page.ts'

/** The pages below `/portal/projects/:project`. */
export const SITE_PAGES: readonly Page[] = [
  {
    path: '/',
    source: 'site/home',
    title: 'Home',
    first: () => [{ operation: 'overview', body: {} }],
  },
]
