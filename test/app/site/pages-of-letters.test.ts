import { testPages } from '../../support/app-tour-pages.ts'

testPages((name) => /^site\/(campaigns|templates|sending|$)/.test(name))
