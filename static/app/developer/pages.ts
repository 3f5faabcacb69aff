import type { Page } from '../page.ts'

/** The pages below `/portal/developer`. */
export const DEVELOPER_PAGES: readonly Page[] = []
