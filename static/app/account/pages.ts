import type { AppPage } from '../../../src/shared/app-pages.ts'

/** The pages below `/portal/account`. */
export const ACCOUNT_PAGES: readonly AppPage[] = [
  { path: '/', source: 'account/account', title: 'Account' },
  { path: '/security', source: 'account/security', title: 'Security' },
  { path: '/sessions', source: 'account/sessions', title: 'Sessions' },
  { path: '/apps', source: 'account/apps', title: 'Connected apps' },
]
