import { testPages } from '../support/app-tour-pages.ts'

testPages((name) => !name.startsWith('site/'))
