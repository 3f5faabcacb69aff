/** Where the key stands in the code of the quick start (src/http/docs/quick-start.ts). */
const PLACE = /svc_pk_(?:…|[\w-]*)/
const WEEK_MS = 7 * 86_400_000

/** Puts a key of the reader's own into the quick start: one that is pasted, or made here. Only this page has it. */
export function makeKeys(): void {
  const pasted = document.querySelector<HTMLInputElement>('#own-key')
  pasted?.addEventListener('input', () => fillIn(pasted.value.trim()))
  const button = document.querySelector<HTMLButtonElement>('#make-key')
  const project = document.querySelector<HTMLSelectElement>('#project')
  const said = document.querySelector<HTMLElement>('#made')
  if (!button || !project || !said) return
  button.addEventListener('click', async () => {
    button.disabled = true
    said.textContent = 'Making it…'
    const { text, label } = project.selectedOptions[0]!
    const answer = await makeKey(project.value)
    button.disabled = false
    if (typeof answer !== 'string') {
      said.textContent = answer.message
      return
    }
    fillIn(answer)
    if (pasted) pasted.value = answer
    said.textContent =
      `The key “Quick start” of ${label || text} is in the code. ` +
      'It ends in seven days, or when you remove it under API keys.'
  })
  project.addEventListener('change', () => leadTo(project))
  leadTo(project)
}

function fillIn(key: string): void {
  const shown = /^svc_pk_[\w-]+$/.test(key) ? key : 'svc_pk_…'
  for (const code of document.querySelectorAll('#quick-start pre code')) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      if (PLACE.test(text.nodeValue!)) text.nodeValue = text.nodeValue!.replace(PLACE, shown)
  }
}

/** A key for a week that reads and changes contacts; a refusal as a sentence. */
async function makeKey(project_id: string): Promise<string | { message: string }> {
  try {
    const answer = await fetch('/project/api-keys/create', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        project_id,
        name: 'Quick start',
        role: 'editor',
        scopes: ['newsletter:read', 'newsletter:write'],
        expires_on: new Date(Date.now() + WEEK_MS).toISOString(),
      }),
    })
    const { key, message } = (await answer.json()) as { key?: string; message?: string }
    return key ?? { message: message ?? `The service answered ${answer.status}.` }
  } catch {
    return { message: 'There was no answer. Try again.' }
  }
}

function leadTo(project: HTMLSelectElement): void {
  const slug = project.selectedOptions[0]?.dataset.slug
  const way = document.querySelector<HTMLAnchorElement>('a[data-of-project]')
  if (way && slug) way.href = `/portal/projects/${slug}/contacts`
}
