import type { Translations } from './translations.ts'

export const cs: Translations = {
  lang: 'cs',
  not_found: ['Tento odkaz nefunguje', 'Není úplný nebo se cestou změnil. Otevřete ho prosím znovu ze zprávy.'],
  gone: ['Tento odkaz už neplatí', 'Vaši adresu zde už neuchováváme, není tedy třeba nic dalšího dělat.'],
  failed: ['Něco se pokazilo', 'Zkuste to prosím za chvíli znovu.'],
  test_message: ['Tohle byla zkušební zpráva', 'Odkazy v ní nic nemění.'],
  confirm: {
    title: 'Potvrďte odběr',
    text: (names, address) => `Jakmile odběr potvrdíte, začneme na adresu ${address} posílat tyto zprávy: ${names}.`,
    button: 'Potvrdit odběr',
    hint: 'Pokud to nebyla vaše žádost, stačí tuto stránku zavřít: bez vašeho potvrzení se nic nepošle.',
  },
  confirmed: ['Odběr je potvrzen', (names) => `Děkujeme. Od této chvíle budete dostávat tyto zprávy: ${names}.`],
  nothing_to_confirm: ['Není co potvrzovat', 'Váš odběr už byl potvrzen, nebo byl mezitím odhlášen.'],
  unsubscribe: {
    title: 'Odhlásit odběr',
    text: (address) => `Které zprávy už nemáme posílat na adresu ${address}?`,
    lists: (names) => `Odhlásit odběr: ${names}`,
    everything: 'Odhlásit všechny odběry',
    preferences: 'Raději vybrat seznamy',
  },
  unsubscribed: ['Odběr byl odhlášen', (address) => `Na adresu ${address} už nebudeme posílat žádné zprávy.`],
  unsubscribed_lists: ['Odběr byl odhlášen', (names) => `Tyto zprávy už dostávat nebudete: ${names}.`],
  preferences: {
    title: 'Vaše nastavení',
    text: (address) => `Vyberte, které zprávy máme posílat na adresu ${address}.`,
    legend: 'Seznamy',
    pending: 'Čeká na vaše potvrzení; zaškrtnutím odběr potvrdíte hned.',
    none: 'Nejsou tu žádné seznamy, ze kterých by šlo vybírat.',
    save: 'Uložit',
    unsubscribe_all: 'Odhlásit všechny odběry',
    saved: 'Váš výběr byl uložen.',
    blocked:
      'Zasílání zpráv na tuto adresu je zablokováno, proto nebylo možné odběr přihlásit. Obraťte se ' +
      'prosím na odesílatele.',
    unsubscribed:
      'Všechny vaše odběry jsou odhlášeny. Chcete-li některý seznam znovu odebírat, zaškrtněte ho a uložte.',
  },
  forms: {
    sent: ['Děkujeme', 'Vaše zpráva byla odeslána.'],
    signed_up: ['Děkujeme', 'Pokud je potřeba potvrzení, zpráva s odkazem už je na cestě do vaší schránky.'],
    refused: [
      'Formulář nebyl odeslán',
      'Něco chybí nebo není v pořádku. Vraťte se prosím zpět a zkontrolujte zadané údaje.',
    ],
    too_many: ['Chvíli prosím vyčkejte', 'Formulář byl odeslán příliš často. Zkuste to znovu za minutu.'],
    failed: ['Něco se pokazilo', 'Zkuste to prosím za chvíli znovu.'],
  },
  confirmation: {
    subject: (project) => `${project}: potvrďte prosím odběr`,
    request: (project) =>
      `Dostali jsme žádost, aby na tuto adresu chodily zprávy, které posílá ${project}. Potvrďte prosím, že je ` +
      `to vaše adresa.`,
    button: 'Potvrdit odběr',
    closing: 'Pokud to nebyla vaše žádost, nemusíte nic dělat: bez vašeho potvrzení se nic nepošle.',
  },
  sign_up: { button: 'Přihlásit k odběru' },
  own_link: {
    title: 'Správa odběru',
    text: 'Zadejte adresu, na kterou tyto zprávy přicházejí. Pošleme na ni osobní odkaz.',
    email: 'E-mailová adresa',
    button: 'Poslat odkaz',
    sent: 'Pokud tato adresa dostává naše zprávy, odkaz je na cestě.',
    subject: (project) => `Váš odkaz: ${project}`,
    request: (project) =>
      `Požádali jste o odkaz na svůj odběr ${project}. Otevře stránku, na které si vyberete seznamy nebo se odhlásíte.`,
    closing: 'Pokud jste o to nežádali, nemusíte nic dělat. Nic se nezměnilo.',
  },
  letters: { title: 'Odeslané zprávy', older: 'Starší', newer: 'Novější', none: 'Zatím nebylo nic odesláno.' },
  email: {
    unsubscribe: 'Odhlásit odběr',
    preferences: 'Nastavení',
    view: 'Zobrazit v prohlížeči',
    read_more: 'Číst dál',
  },
  consent: {
    label: 'Souhlas',
    question: 'Smí tento web používat služby, které nejsou nezbytné?',
    accept: 'Přijmout',
    decline: 'Odmítnout',
    choose: 'Vybrat',
    save: 'Uložit výběr',
    reopen: 'Nastavení soukromí',
    privacy: 'Soukromí',
    functional: 'Funkční',
    functional_purpose: 'Doplňky, například chat, mapy a videa.',
    analytics: 'Analytické',
    analytics_purpose: 'Počítají návštěvy, aby se web zlepšoval.',
    advertising: 'Reklamní',
    advertising_purpose: 'Zobrazují reklamy a měří jejich účinek.',
  },
  form_notice: {
    entries: (count) => `Nové záznamy vašich formulářů: ${count}`,
    more: (count) => `Další záznamy: ${count}`,
    button: 'Přečíst v Mastheadu',
    closing: (project) =>
      `Tuto zprávu dostáváte, protože vám projekt „${project}“ oznamuje, co jeho formuláře přijaly.`,
  },
}
