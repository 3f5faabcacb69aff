import { testPages } from '../../support/app-tour-pages.ts'

testPages((name) => /^site\/(contacts|segments|lists|fields|suppressions|imports)/.test(name))
