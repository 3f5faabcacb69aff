import { html, type Markup } from '../core/markup.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { hasRole } from '../../access/permission.ts'
import type { Role } from '../../shared/roles.ts'
import { codeTabs } from './code-markup.ts'
import { QUICK_START } from './examples.ts'

/** Who reads the page, where somebody is signed in. */
export interface Reader {
  name: string
  projects: readonly { id: string; slug: string; name: string; role: Role }[]
}

/** Stands where a key of the reader's own belongs. static/docs/docs.ts puts it there. */
export const KEY_PLACE = 'svc_pk_…'

/**
 * The first minute: a key, and three calls that end in a changed contact. Somebody who is signed in gets the key here;
 * others are led to sign in, or paste one.
 */
export function quickStart(reader: Reader | null): Markup {
  return html`<section id="quick-start" class="call"><div>
<h2><a href="#quick-start">Quick start</a></h2>
<p>One minute: a key, a contact, and a change of it.</p>
<ol class="steps">
<li><h3>Get a key</h3>${keyStep(reader)}</li>
<li><h3>Run this</h3><p>It adds a contact, changes her name, and reads what she is now. The last answer has
<code>"first_name": "Augusta"</code>. <code>contacts/upsert</code> finds a contact by the address, so the second call
changes the one that the first has made.</p></li>
<li><h3>Look</h3><p>${
    reader?.projects[0]
      ? html`She stands under
<a href="${PORTAL_PATH}/projects/${reader.projects[0].slug}/contacts" data-of-project>Contacts</a>, where you can delete
her again.`
      : html`She stands under Contacts in your project, where you can delete her again.`
  }</p></li>
</ol></div>
<div class="beside">${codeTabs(QUICK_START, 'quick start')}</div></section>`
}

function keyStep(reader: Reader | null): Markup {
  const pasted = html`<label class="paste">Or paste one of yours
<input id="own-key" autocomplete="off" spellcheck="false" placeholder="svc_pk_…"></label>`
  if (reader === null)
    return html`<p><a class="button" href="${PORTAL_PATH}/login?return=%2Fdocs">Sign in</a> and make one here, or under
API keys in a project.</p>${pasted}`
  const own = reader.projects.filter(({ role }) => hasRole(role, 'administrator'))
  if (reader.projects.length === 0)
    return html`<p>You are signed in as ${reader.name}, in no project yet.
<a class="button" href="${PORTAL_PATH}/">Make a project</a></p>${pasted}`
  if (own.length === 0)
    return html`<p>You are signed in as ${reader.name}. Making a key takes an administrator of a project: ask one.</p>
${pasted}`
  return html`<p>You are signed in as ${reader.name}. This makes a key that reads and changes contacts for seven days,
and puts it into the code.</p>
<div class="make"><label>Project <select id="project">${own.map(
    ({ id, slug, name }) => html`<option value="${id}" data-slug="${slug}">${name}</option>`,
  )}</select></label>
<button type="button" class="button" id="make-key">Make a key</button></div>
<p id="made" role="status"></p>${pasted}`
}
