import { cleanPaste } from '../../static/app/letter/clean-paste.ts'
import { readHtml } from '../../static/app/letter/read-html.ts'
import { writeHtml } from '../../static/app/letter/write-html.ts'

/** Runs in a page, which has what reading HTML needs. */
Object.assign(globalThis, {
  readAndWrite: (html: string) => writeHtml(readHtml(html)),
  pasted: (html: string) => writeHtml(readHtml(cleanPaste(html).html)),
})
