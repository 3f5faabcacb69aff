import type { Translations } from './translations.ts'

export const ca: Translations = {
  lang: 'ca',
  not_found: [
    'Aquest enllaç no funciona',
    'És incomplet o s’ha modificat pel camí. Torneu-lo a obrir des del missatge.',
  ],
  gone: ['Aquest enllaç ja no és vàlid', 'La vostra adreça ja no es conserva aquí; no cal que feu res més.'],
  failed: ['Alguna cosa ha anat malament', 'Torneu-ho a provar d’aquí a un moment.'],
  test_message: ['Això era un missatge de prova', 'Els seus enllaços no tenen cap efecte.'],
  confirm: {
    title: 'Confirmeu la subscripció',
    text: (names, address) => `Quan hàgiu confirmat la subscripció a ${names}, els missatges s’enviaran a ${address}.`,
    button: 'Confirma la subscripció',
    hint: 'Si no ho heu demanat, només cal que tanqueu aquesta pàgina: sense la vostra confirmació no s’enviarà res.',
  },
  confirmed: [
    'La subscripció està confirmada',
    (names) => `Gràcies. La vostra subscripció a ${names} comença ara mateix.`,
  ],
  nothing_to_confirm: [
    'No hi ha res per confirmar',
    'La vostra subscripció ja s’havia confirmat o s’ha cancel·lat des de llavors.',
  ],
  unsubscribe: {
    title: 'Cancel·la la subscripció',
    text: (address) => `Quins missatges no s’han d’enviar més a ${address}?`,
    lists: (names) => `Cancel·la la subscripció a ${names}`,
    everything: 'Cancel·la totes les subscripcions',
    preferences: 'Prefereixo triar les llistes',
  },
  unsubscribed: ['La subscripció s’ha cancel·lat', (address) => `No s’enviaran més missatges a ${address}.`],
  unsubscribed_lists: [
    'La subscripció s’ha cancel·lat',
    (names) => `La vostra subscripció a ${names} s’ha acabat: ja no en rebreu els missatges.`,
  ],
  preferences: {
    title: 'Les vostres preferències',
    text: (address) => `Trieu quins missatges s’envien a ${address}.`,
    legend: 'Llistes',
    pending: 'Pendent de la vostra confirmació; marqueu la casella per confirmar-ho ara.',
    none: 'No hi ha cap llista per triar.',
    save: 'Desa',
    unsubscribe_all: 'Cancel·la totes les subscripcions',
    saved: 'La vostra tria s’ha desat.',
    blocked:
      'Els enviaments a aquesta adreça estan bloquejats i no ha estat possible fer la subscripció a una ' +
      'llista. Poseu-vos en contacte amb el remitent.',
    unsubscribed: 'Ja no teniu cap subscripció. Per tornar a rebre una llista, marqueu-la i deseu els canvis.',
  },
  forms: {
    sent: ['Gràcies', 'El vostre missatge s’ha enviat.'],
    signed_up: ['Gràcies', 'Si cal una confirmació, ja és de camí a la vostra bústia.'],
    refused: [
      'No s’ha enviat',
      'Falta alguna dada o n’hi ha alguna que no és correcta. Torneu enrere i reviseu el que heu introduït.',
    ],
    too_many: ['Espereu un moment', 'S’han fet massa enviaments. Torneu-ho a provar d’aquí a un minut.'],
    failed: ['Alguna cosa ha anat malament', 'Torneu-ho a provar d’aquí a un moment.'],
  },
  confirmation: {
    subject: (project) => `Confirmeu la subscripció a ${project}`,
    request: (project) =>
      `Heu demanat rebre els missatges que envia ${project}. Confirmeu que aquesta adreça és vostra.`,
    button: 'Confirma la subscripció',
    closing: 'Si no ho heu demanat, no cal que feu res: sense la vostra confirmació no s’enviarà res.',
  },
  sign_up: { button: 'Subscriu-m’hi' },
  own_link: {
    title: 'Gestioneu la subscripció',
    text: 'Introduïu l’adreça que rep aquests missatges. Hi enviarem un enllaç personal.',
    email: 'Adreça electrònica',
    button: 'Envia l’enllaç',
    sent: 'Si aquesta adreça rep els nostres missatges, l’enllaç és en camí.',
    subject: (project) => `El vostre enllaç per a ${project}`,
    request: (project) =>
      `Heu demanat l’enllaç a la vostra subscripció a ${project}. Obre la pàgina on podeu triar llistes o donar-vos de baixa.`,
    closing: 'Si no ho heu demanat, no cal que feu res. No ha canviat res.',
  },
  letters: {
    title: 'Cartes enviades',
    older: 'Més antigues',
    newer: 'Més recents',
    none: 'Encara no s’ha enviat res.',
  },
  email: {
    unsubscribe: 'Cancel·la la subscripció',
    preferences: 'Preferències',
    view: 'Mostra-ho al navegador',
    read_more: 'Llegeix-ne més',
  },
  consent: {
    label: 'Consentiment',
    question: 'Pot aquest lloc utilitzar serveis que no són essencials?',
    accept: 'Accepta',
    decline: 'Rebutja',
    choose: 'Tria',
    save: 'Desa la tria',
    reopen: 'Opcions de privadesa',
    privacy: 'Privadesa',
    functional: 'Funcionals',
    functional_purpose: 'Extres com ara xats, mapes i vídeos.',
    analytics: 'Analítica',
    analytics_purpose: 'Compta les visites perquè el lloc millori.',
    advertising: 'Publicitat',
    advertising_purpose: 'Mostra anuncis i en mesura l’efecte.',
  },
  form_notice: {
    entries: (count) => `Noves entrades dels vostres formularis: ${count}`,
    more: (count) => `Altres entrades: ${count}`,
    button: 'Llegiu-les a Masthead',
    closing: (project) =>
      `Rebeu aquest missatge perquè el projecte «${project}» us informa del que reben els seus formularis.`,
  },
}
