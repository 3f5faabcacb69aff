// Runs in the pages of sites that ask for consent (src/sites/consent.ts): in force is what the visitor agreed to.
// A page carries it without its blanks, comments and long names: at most 2 kB.
(() => {
  const { banner, message, accept, decline, gpc } = JSON.parse(document.currentScript.dataset.options)
  const key = 'masthead.consent'
  const kinds = ['functional', 'analytics', 'advertising']
  const each = (of) => Object.fromEntries(kinds.map((kind) => [kind, of(kind)]))
  let choice = null
  let box
  let turn = Promise.resolve()

  // A page in a sandbox has no storage: there a choice holds as long as the page.
  try { choice = JSON.parse(localStorage[key]) } catch {}

  // Global Privacy Control, by the request's header or by the browser itself.
  const refused = (kind) => kind === 'advertising' && (gpc || navigator.globalPrivacyControl)
  const allows = (kind) => !!choice?.[kind] && !refused(kind)
  const get = () => ({ decided: !!choice, ...each(allows) })
  const heldBack = () => [...document.querySelectorAll('script[data-consent],template[data-consent]')]

  const release = (held) => {
    if (held.content) {
      for (const script of held.content.querySelectorAll('script:not([async])')) script.async = false
      return held.replaceWith(held.content)
    }
    const script = document.createElement('script')
    for (const { name, value } of held.attributes) if (!/^(type|data-consent)$/.test(name)) script.setAttribute(name.replace('data-consent-', ''), value)
    script.text = held.text
    const loaded = script.src && !held.hasAttribute('async') && new Promise((done) => { script.onload = script.onerror = done })
    held.replaceWith(script)
    return loaded
  }

  // In the order of the page, each after the one before it has loaded.
  const activate = () => {
    turn = turn.then(async () => {
      for (const held of heldBack()) if (allows(held.dataset.consent)) await release(held)
    })
  }

  const set = (wanted) => {
    const before = kinds.filter(allows)
    choice = { ...choice, ...wanted }
    try { localStorage[key] = JSON.stringify(choice) } catch {}
    box?.remove()
    box = null
    // What runs cannot be taken back: only a new page is without it.
    if (!before.every(allows)) return location.reload()
    activate()
    document.dispatchEvent(new CustomEvent(key, { detail: get() }))
  }
  const all = (value) => set(each(() => value))

  const withdraw = () => {
    try { delete localStorage[key] } catch {}
    location.reload()
  }

  const show = () => {
    if (box) return
    box = document.createElement('section')
    box.ariaLabel = 'Consent'
    box.style = 'position:fixed;inset:auto 0 0;z-index:2147483647;display:flex;flex-flow:wrap;gap:1em;align-items:center;padding:1em;background:#fff;color:#222;font:16px/1.5 sans-serif;box-shadow:0 0 8px'
    box.append(message || 'May this site use non-essential services?')
    for (const value of [true, false]) {
      const button = document.createElement('button')
      button.textContent = value ? accept || 'Accept' : decline || 'Decline'
      button.style = 'padding:.5em 1em;font:inherit'
      button.onclick = () => all(value)
      box.append(button)
    }
    document.body.prepend(box)
  }

  window.masthead = { consent: { get, set, accept: () => all(true), decline: () => all(false), withdraw, show } }
  document.addEventListener('DOMContentLoaded', () => {
    activate()
    if (banner && !choice && heldBack().some(({ dataset }) => !refused(dataset.consent))) show()
  })
})()
