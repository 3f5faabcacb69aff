import type { Page } from '../page.ts'

/** The pages below `/portal/account`. */
export const ACCOUNT_PAGES: readonly Page[] = []
