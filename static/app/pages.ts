import type { Place } from '../../src/shared/app-pages.ts'
import { ACCOUNT_PAGES } from './account/pages.ts'
import { DEVELOPER_PAGES } from './developer/pages.ts'
import { OPERATOR_PAGES } from './operator/pages.ts'
import { SITE_PAGES } from './site/pages.ts'

/**
 * Every page of the application. The server reads these lists to answer addresses, to preload code and to deliver first
 * answers; the script reads them to choose a component.
 */
export const PLACES: readonly Place[] = [
  { name: 'site', root: '/portal/projects/:project', pages: SITE_PAGES },
  { name: 'developer', root: '/portal/developer', pages: DEVELOPER_PAGES },
  { name: 'operator', root: '/portal/operator', pages: OPERATOR_PAGES },
  { name: 'account', root: '/portal/account', pages: ACCOUNT_PAGES },
]
