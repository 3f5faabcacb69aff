import type { Page } from '../page.ts'

/** The pages below `/portal/operator`. */
export const OPERATOR_PAGES: readonly Page[] = []
