/**
 * The script of the documentation (src/http/docs): the search, the language of the examples, the buttons that copy, and
 * the quick start's own key. bin/browser-scripts.ts bundles it into docs.js. Without it the pages can be read.
 */
import { copyText } from './copy.ts'
import { makeKeys } from './key.ts'
import { keepLanguage } from './language.ts'
import { makeSearch } from './search.ts'

keepLanguage()
makeSearch()
makeKeys()

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('.copy') : null
  const shown = [...(button?.closest('.code')?.querySelectorAll('pre') ?? [])].find((text) => text.checkVisibility())
  if (!button || !shown) return
  const isCopied = await copyText(shown.textContent)
  // What it copies stands behind the word, for screen readers.
  const word = button.firstChild!
  const said = document.querySelector('#said')!
  word.nodeValue = said.textContent = isCopied ? 'Copied' : 'Select it and copy'
  setTimeout(() => {
    word.nodeValue = 'Copy'
    said.textContent = ''
  }, 2000)
})
