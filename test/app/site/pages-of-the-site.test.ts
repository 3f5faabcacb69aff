import { testPages } from '../../support/app-tour-pages.ts'

testPages((name) => /^site\/(apps|files|mailbox|members|activity|keys|settings|pages|posts|directory|forms)/.test(name))
