### Norsk (bokmål). Det som står i krøllparenteser, fylles ut; la navnene stå. Kort kommer som «9♤» eller «10♥».

## Spill og regler

game-klondike = Sjuerkabalen
game-acesup = Idiotkabalen
rules-klondike = trekk { $draw }{ $passes ->
    [none] { "" }
    [one] , én gang gjennom talongen
   *[other] , { $passes } ganger gjennom talongen
 }{ $returns ->
    [yes] , kort kan tas tilbake
   *[no] { "" }
 }
rules-acesup = { $aces ->
    [yes] bare ess til tomme plasser
   *[no] vanlige regler
 }{ $cell ->
    [yes] { " " }+ fri celle
   *[no] { "" }
 }{ $pairs ->
    [yes] { " " }+ par
   *[no] { "" }
 }

## Trekk, i ord

move-onto = { $source } → { $target }: { $card } på { $onto }
move-run-onto = { $source } → { $target }: { $card } og { $more } til på { $onto }
move-empty = { $source } → { $target }: { $card } til tom plass
move-run-empty = { $source } → { $target }: { $card } og { $more } til, til tom plass
move-home = { $source } → f: { $card } til byggebunken
move-back = { $source } → { $target }: { $card } tilbake fra byggebunken, på { $onto }
move-back-empty = { $source } → { $target }: { $card } tilbake fra byggebunken, til tom plass
move-cell = { $source } → c: { $card } til den frie cella
move-draw = Trekk
move-redeal = Snu den åpne haugen
move-deal = Del ut
move-discard = Kast { $cards } fra { $source }

## Det et trekk sier

turn-new = **Nytt spill.** Spill med knappene under bordet, eller skriv: `/hjelp` sier hvordan.
turn-winnable = Denne kabalen kan gå opp.
turn-first = Er du ny her? `/regler` viser i bilder hvordan kabalen spilles.
turn-undone = **Angret:** { $move }
turn-redone = **Gjort om igjen:** { $move }
turn-shown = **Bordet ditt.**
turn-shown-last = **Bordet ditt.** Siste trekk: { $move }
turn-resumed = **Tilbake til dette spillet.**
turn-drawn = { $move }: { $cards }
turn-set-aside = { $game } som du ikke var ferdig med ({ $score } poeng), er lagt til side; `/spill` henter den fram.
turn-set-aside-daily = Dagens kabal er lagt til side; `/dagens` henter den fram igjen.
turn-set-aside-challenge = Kabalen din i utfordringen er lagt til side; `/spill` henter den fram igjen.
turn-won = 🎉 **Kabalen gikk opp!** { $score } av { $full } på { $moves } trekk. `/ny` deler ut en ny.
turn-over = **Ingen flere kort kan flyttes:** { $score } av { $full }. `/angre` går tilbake, `/ny` deler ut på nytt.
give-up-question = **Vil du virkelig gi opp dette spillet?**
turn-over-acesup = **Slutt:** ingen flere kort kan kastes. { $score } av { $full }. `/angre` går tilbake, `/ny` deler ut på nytt.
turn-best-proven = Det beste som var mulig, var **{ $best }** (bevist). Du fikk { $score }.
turn-best-found = **{ $best }** var mulig, og høyst { $bound }. Du fikk { $score }.
turn-best-made = Det er det beste som var mulig (bevist).
turn-best-bound = Høyst { $bound } var mulig.
turn-could-be-won = Denne kabalen kunne gå opp.
turn-could-not-be-won = Denne kabalen kunne ikke gå opp, samme hvordan den spilles (bevist).
turn-lost-from-start = Denne kabalen kan ikke gå opp, uansett hvordan den spilles: det er bevist ut fra alle kortene. `/ny` deler ut en ny.
turn-lost = Denne kabalen kan ikke gå opp lenger: det er bevist ut fra alle kortene. `/angre` går tilbake.
turn-given-up = **Du ga opp** med { $score } av { $full }. `/ny` deler ut en ny.
turn-expired = **Avsluttet** etter lang tid uten trekk: { $score } av { $full }. `/ny` deler ut en ny.
turn-expired-contest = **Avsluttet** etter lang tid uten trekk: { $score } av { $full }.
turn-footer = { $game } · { $rules } · kode { $seed }

## På bildet

picture-title = { $game } · { $rules }
picture-seed = kode { $seed }
picture-score = Poeng { $score }/{ $full }
picture-pass = Runde { $number } av { $limit }

## Bordet i ord

table-stock = Talong: { $count ->
    [0] tom
   *[other] { $count } med baksiden opp
 }
table-waste = Åpen haug: { $cards }
table-foundation = Byggebunke { $suit }: { $cards }
table-pile = { $name }: { $cards }
table-cell = Fri celle: { $cards }
table-discard = Kastet: { $count }
table-hidden = { $count } med baksiden opp
table-empty = tom
table-more = { $count } til
table-score = { $score } av { $full } i mål
table-pass = runde { $number } av { $limit }
suit-clubs = kløver
suit-diamonds = ruter
suit-hearts = hjerter
suit-spades = spar
colour-red = rød
colour-black = svart

## Hvorfor et trekk ikke går

illegal-game-over = Dette spillet er over. `/angre` går tilbake, `/ny` deler ut et nytt.
illegal-no-such-pile = Det finnes ingen bunke «{ $pile }» på dette bordet.
pile-s = talongen
pile-w = den åpne haugen
pile-c = den frie cella
pile-d = kastebunken
pile-t = bordet
pile-foundation = byggebunken
pile-numbered = bunke { $number }
illegal-no-cell = Etter disse reglene er det ingen fri celle.
illegal-no-stock = Dette spillet har ingen talong å trekke fra.
illegal-no-discard-pile = I dette spillet kastes ingen kort; de går til byggebunkene: `/flytt 3 f`.
illegal-same-pile = Det er samme sted to ganger: { $place }.
illegal-empty-pile = Det er ingenting å ta fra { $place }.
illegal-not-there = Ingen kort kan legges på { $place } for hånd.
illegal-not-from-there = Ingen kort kan tas fra { $place } for hånd.
illegal-face-down = I { $place } ligger bare { $shown } kort med bildet opp, så { $count } kan ikke flyttes.
illegal-one-at-a-time = Du kan bare flytte ett kort om gangen fra { $place } dit.
illegal-not-allowed = Reglene tillater ikke det trekket.
illegal-wrong-column = { $card } må ligge på en { $colour } { $rank }; kolonne { $pile } slutter med { $end }.
illegal-wrong-column-king = { $card } kan bare gå til en tom kolonne; kolonne { $pile } slutter med { $end }.
illegal-kings-only = Bare en konge kan gå til den tomme kolonne { $pile }, ikke { $card }.
illegal-wrong-foundation = { $card } kan ikke gå til byggebunken ennå: { $needs } er neste kort.
illegal-other-suit = { $card } hører til byggebunken i sin egen sort.
illegal-no-return = Etter disse reglene blir kortene liggende på byggebunken.
illegal-stock-not-empty = Haugen snus først når talongen er tom.
illegal-no-pass-left = Talongen er tom, og { $passes ->
    [one] etter disse reglene går man gjennom den bare én gang
   *[other] alle { $passes } rundene er brukt
 }.
illegal-nothing-to-draw = Både talongen og den åpne haugen er tomme.
illegal-ace-stays = { $card } er et ess, og ess kastes aldri.
illegal-not-beaten = { $card } blir liggende: ingen kort i samme sort øverst i en annen bunke er høyere.
illegal-pile-taken = Bunke { $pile } er ikke tom; kort flyttes bare til en tom plass.
illegal-aces-only = Etter disse reglene kan bare ess gå til en tom plass, ikke { $card }.
illegal-cell-taken = { $card } ligger allerede i den frie cella.
illegal-cell-stays = { $card } kan bare gå fra den frie cella til en tom plass.
illegal-not-a-pair = { $card } og { $other } er ikke et par som kan kastes.
illegal-stock-empty = Talongen er tom.

## Andre feil

fault-move-syntax = «{ $text }» er ikke et trekk. Skriv to bunker, for eksempel `3 5`; `w` er den åpne haugen, `f` en byggebunke, `c` den frie cella.
fault-move-target = Hvor skal kortet? Skriv to bunker, for eksempel `/flytt 3 5`.
fault-rules-syntax = { $game } har ingen regler «{ $text }». Det finnes { $rules }.
fault-seed = En kode er en tekst på 1 til 64 tegn.
fault-record-syntax = «{ $text }» er ikke en spillkode. En slik ser ut som `acesup/standard/mormor`.
fault-record-daily = Linja om en daglig kabal har ingen spillkode. `/dagens` deler ut dagens kort.
fault-unknown-game = Det finnes ikke noe spill «{ $text }» her. Det finnes { $games }.
fault-no-game = Du har ikke noe spill ennå. `/ny` deler ut et.
fault-no-such-game = Det spillet finnes ikke lenger. `/spill` viser dem du holder på med.
fault-not-yours = Det bordet er noen andres. `/ny` deler ut ditt eget.
fault-finished = Dette spillet er slutt. `/ny` deler ut et nytt.
fault-stale = **Bordet har endret seg** siden du så det, så ingenting ble flyttet. Slik er det nå:
fault-nothing-to-undo = Det er ingenting å angre: slik ble kortene delt ut.
fault-nothing-to-redo = Det er ingenting å gjøre om igjen.
fault-nothing-to-discard = Ingen kort kan kastes nå.
fault-choose-discard = Flere kort kan kastes. Hvilket?
fault-choose-discard-line = `/kast { $pile }`: { $move }
fault-no-picture = Jeg får ikke legge ved filer i denne kanalen, så her er bordet i ord. En som styrer serveren, kan gi meg tillatelsen **Legge ved filer**.
fault-not-drawn = Jeg fikk ikke tegnet bildet denne gangen, så her er bordet i ord. (Feil { $id })
fault-too-many-moves = Dette spillet er så langt som et spill kan være her. Angre, fullfør det, eller del ut et nytt med `/ny`.
fault-outdated = Denne kommandoen er endret. Last Discord på nytt, eller prøv igjen om et minutt.
fault-unexpected = Noe gikk galt hos meg. `/bord` viser hvordan spillet ditt står. (Feil { $id })
fault-too-fast = Det gikk litt fort: dette virker igjen <t:{ $time }:R>.
fault-many-waiting = Mange venter akkurat nå. Prøv igjen om et øyeblikk.
fault-busy = { $work ->
    [replay] Jeg tegner fortsatt den forrige reprisen din.
    [best] Jeg regner fortsatt på de forrige kortene dine.
    [export] Jeg lager fortsatt den forrige kopien din.
   *[analysis] Jeg analyserer fortsatt det forrige spillet ditt.
 }
fault-stopping = Jeg startes på nytt. Om et minutt viser `/bord` hvordan spillet ditt står.
fault-choices = Noe gikk galt hos meg; skriv det i stedet. (Feil { $id })
fault-not-kept = Jeg får ikke lagret noe akkurat nå, så ingenting er endret. Prøv igjen senere. (Feil { $id })
fault-damaged = Lageret mitt er skadet, så jeg kommer ikke videre med dette. Si fra til den som driver meg. (Feil { $id })

## Lister

deal-seed = kode { $seed }
games-none = Du holder ikke på med noe spill. `/ny` deler ut et.
games-title = **Spillene du holder på med**
games-line = { $mark } { $game } · { $rules } · { $deal } · { $score } poeng · <t:{ $time }:R>
games-how = Velg et spill i `/spill` for å fortsette på det.
games-choice = { $game } · { $rules } · { $deal } · { $score } poeng

## Regler og hjelp

rules-text-klondike =
    ## Sjuerkabalen
    Sju kolonner og fire byggebunker. Esset er lavest, kongen høyest.
    - **Mål:** bygg hver byggebunke opp i sin sort, fra ess til konge.
    - **Kolonner:** legg et kort, eller et åpent kort med alt som ligger oppå det, på et kort som er én høyere og har den andre fargen. En tom kolonne tar bare en konge. Et skjult kort som blir liggende ytterst, snus av seg selv.
    - **Talong:** `/trekk` snur ett eller tre kort over i den åpne haugen; det øverste der kan spilles. Når talongen er tom, snur `/trekk` haugen, så ofte reglene tillater.
    - **Skriv:** `/flytt 3 5`, `/flytt w 4` (fra den åpne haugen), `/flytt 3 f` (til byggebunken).
rules-text-acesup =
    ## Idiotkabalen
    Fire bunker; bare det øverste kortet i hver er med. Esset er høyest, over kongen.
    - **Mål:** kast alt unntatt de fire essene, 48 kort.
    - **Kast:** et toppkort kan kastes når toppkortet i en annen bunke har samme sort og er høyere: `/kast 2`.
    - **Tom plass:** tar hvilket som helst toppkort, og kortet under kommer fram: `/flytt 3 1`.
    - **Del ut:** `/trekk` legger ett nytt kort på hver bunke, tolv ganger i alt, når du selv vil.
rules-presets = **Regler å velge mellom**
rules-preset-line = `{ $code }` { $rules }
rules-combine-klondike = Alle blandinger går: `d1` eller `d3`, så `p1` … `p9` for antall runder, så `r` hvis kort kan tas tilbake fra byggebunkene, for eksempel `d3p2r`.
rules-combine-acesup = De kan blandes med plusstegn, for eksempel `cell+pairs`.

help-text =
    ## Kabal
    `/ny` deler ut Sjuerkabalen eller Idiotkabalen; med samme kode får en venn de samme kortene, med `går-opp` kan kabalen gå opp.
    `/dagens` deler ut dagens idiotkabal, samme kort til alle, én gang · `/resultater` viser hvem som klarte seg best
    `/flytt 3 5` flytter fra kolonne 3 til kolonne 5; `w` er den åpne haugen, `f` byggebunken, `c` den frie cella. Lista viser hva som går an; det gjør også knappene under bordet.
    `/trekk` trekker eller deler ut · `/kast 2` kaster i Idiotkabalen
    `/angre` `/gjenta` går fram og tilbake så langt du vil
    `/bord` viser spillet igjen · `/spill` går tilbake til et annet · `/gi-opp` avslutter
    `/tips` gir et nyttig trekk · `/reprise` viser spillet som animasjon · `/analyser` hvor det ble tapt · `/innstillinger` har språk, synlighet og kort
    `/del` deler en kabal uten å røpe noe · `/utfordring` lar venner spille de samme kortene · `/sammenlign` viser hvor to spill skilte lag
    `/regler` har reglene, i bilder. Spillene dine blir tatt vare på; et nytt legger bare det gamle til side.
    `/statistikk` teller kabalene som gikk opp · `/personvern` sier hva jeg tar vare på om deg

## Kommandoer

command-new = ny
    .description = Del ut en ny kabal
    .game = spill
    .game-description = Hvilken kabal
    .rules = regler
    .rules-description = Hvilke regler; lista har de vanlige
    .seed = kode
    .seed-description = Samme kode gir samme kort: et tall eller en hvilken som helst tekst
    .code = spillkode
    .code-description = En spillkode du har fått, som acesup/standard/mormor, eller et helt spill
    .winnable = går-opp
    .winnable-description = Bare en kabal som det er bevist at kan gå opp
command-move = flytt
    .description = Flytt kort fra en bunke til en annen
    .from = fra
    .from-description = Hvorfra: en bunke som 3, w (åpen haug) eller c (celle), eller et helt trekk fra lista
    .to = til
    .to-description = Hvor til: en bunke som 5, f (byggebunke) eller c (celle)
    .count = antall
    .count-description = Hvor mange kort, hvis du vil si det
command-draw = trekk
    .description = Trekk fra talongen, snu haugen eller del ut
command-discard = kast
    .description = Kast et kort (Idiotkabalen)
    .pile = bunke
    .pile-description = Fra hvilken bunke, for eksempel 2, eller 1+3 for et par
command-undo = angre
    .description = Ta tilbake det siste trekket
command-redo = gjenta
    .description = Gjør om igjen det du angret
command-table = bord
    .description = Vis spillet ditt igjen
command-games = spill
    .description = Spillene du holder på med; gå tilbake til ett
    .resume = hent
    .resume-description = Spillet du vil tilbake til
command-giveup = gi-opp
    .description = Gi opp dette spillet
command-rules = regler
    .description = Hvordan en kabal spilles
    .game = spill
    .game-description = Hvilken kabal
command-help = hjelp
    .description = Hva jeg kan

## Kontroller under et bord

control-menu = Flytt … ({ $count } mulige)
control-no-move = Ingen kort kan flyttes nå
control-page = Flere trekk, side { $page }
control-undo = Angre
control-redo = Gjenta
control-analyse = Analyser
control-best = Beste vei
control-hint = Tips
control-finish = Fullfør
control-more = Mer
control-back = Tilbake
control-discard-all = Kast alle { $count }
control-rules = Regler
control-share = Del med venner
control-settings = Innstillinger
control-give-up = Gi opp
control-give-up-really = Ja, gi opp dette spillet
control-same = Gi meg den samme
turn-hint = **Tips:** { $move }
turn-no-hint-draw = **Tips:** jeg ser ingen flere nyttige trekk. Trekk videre, eller gi opp.
turn-no-hint = **Tips:** jeg ser ingen flere nyttige trekk. Angre, eller gi opp.
turn-discarded = **Kastet { $count }:** { $cards }
turn-finished = **Fullført:** { $count } trekk ble gjort.
fault-nothing-to-finish = Dette spillet kan ikke fullføres av seg selv ennå.
fault-unknown-control = Den knappen er ikke i bruk lenger. `/bord` viser spillet ditt.

## Innstillinger

language-name = Norsk (bokmål)
settings-title = ## Innstillinger
settings-language = Språk
settings-language-automatic = Språk: som i min Discord
settings-is-private = Bare jeg ser bordene mine
    .about = Andre i kanalen ser dem ikke.
settings-as-text = Bordet i ord
    .about = For skjermlesere: uten bilde.
settings-four-colours = Fire farger
    .about = Kløver er grønn, ruter blå.
settings-large-index = Store tegn
    .about = Større tall og sorter på kortene.
settings-is-hidden = Skjul meg
    .about = Ingen andre ser meg i resultatlister eller i `/statistikk`.
settings-tells-lost = Si fra når det er tapt
    .about = Så snart en kabal ikke kan gå opp lenger. Aldri i dagens kabal.
settings-turn-on = Slå på
settings-turn-off = Slå av
settings-state = { $name }: { $state ->
    [on] på
   *[off] av
 }
command-settings = innstillinger
    .description = Språk, hvem som ser bordet, bordet i ord, kortenes utseende
command-hint = tips
    .description = Ett nyttig trekk

## Reprise

replay-no-files = Jeg får ikke legge ved filer i denne kanalen, så jeg kan ikke vise noen reprise her.
replay-drawing = Tegner spillet …
replay-title = **Reprise:** { $moves } trekk, { $score } av { $full }
replay-alt = Hele spillet som animasjon: { $moves } trekk, { $score } av { $full } til slutt.
replay-best-title = **Den beste veien:** { $moves } trekk, { $score } av { $full }
replay-best-alt = De samme kortene spilt så godt det lar seg gjøre, som animasjon: { $moves } trekk, { $score } av { $full } til slutt.
replay-no-best = Jeg vet ikke om noe bedre for disse kortene.
command-replay = reprise
    .description = Spillet ditt som animasjon

## Analyse

analysis-title = **Analyse**
analysis-drop = Trekk { $number }, { $move }: deretter høyst { $after } i stedet for { $before }. Bedre: { $better }
analysis-lost = Trekk { $number }, { $move }: fram til da kunne kabalen gå opp. Bedre: { $better }
analysis-more = … og { $count } til.
analysis-nothing = Det kan ikke bevises at noe enkelt trekk kostet deg noe.
analysis-won = Kabalen gikk opp: ingen trekk kostet deg noe.
analysis-alt = Bordet før trekk { $number }; kortene i det bedre trekket er markert.
analysis-unknown = Det får jeg ikke regnet ut akkurat nå. Prøv igjen om et minutt.
fault-not-finished = Dette spillet er ikke slutt. Når det er det, viser `/analyser` hvor det ble tapt; `/gi-opp` avslutter det.
fault-analyse-later = { $contest ->
    [daily] Andre spiller fortsatt disse kortene i dag. Når dagen er over, viser `/analyser` hvor spillet ble tapt.
   *[other] Andre spiller fortsatt disse kortene. Når alle i utfordringen er ferdige, viser `/analyser` hvor spillet ble tapt.
 }
command-analyse = analyser
    .description = Viser hvilke trekk i det avsluttede spillet ditt som kostet noe

## Statistikk

stats-title = ## 📊 { $name }
stats-group = **{ $game } · { $rules }**
stats-counts = { $played } spill, { $won } gikk opp ({ $rate } %)
stats-going = { $count } pågår
stats-scores = snitt { $average } · best { $best } · seiersrekke { $streak }, lengste { $longest }
stats-daily = **Dagens kabal på rad:** { $streak ->
    [one] 1 dag
   *[other] { $streak } dager
 }, lengste { $longest }
stats-more = … og { $count } regelsett til: velg nedenfor.
stats-spread = Hvor ofte hver poengsum kom: { $scores }
stats-spread-score = { $score } × { $count }
stats-choose = Velg et regelsett
stats-games = { $count ->
    [one] ett spill
   *[other] { $count } spill
 }
stats-none = Du har ikke spilt ennå. Et spill teller fra det første trekket: `/ny` deler ut et.
stats-none-other = { $name } har ikke spilt her ennå.
stats-no-picture = Jeg får ikke legge ved filer i denne kanalen, så her er poengene i ord.
stats-picture-title = { $game } · { $rules }
stats-picture-latest = siste: { $score }
stats-picture-mean = snitt { $average }
stats-picture-axis = poeng
stats-alt = { $game } · { $rules }: snitt { $average }, siste { $latest }. Hvor ofte hver poengsum kom: { $scores }
fault-hidden-player = Denne spilleren viser ikke statistikken sin.
command-stats = statistikk
    .description = Hvor ofte du har spilt og vunnet, hvor mange på rad, og hvordan poengene fordeler seg
    .user = bruker
    .user-description = Hvem sin; din egen hvis du lar den stå tom

## Egne data

privacy-text =
    ## Personvern
    ### Dette tar jeg vare på
    - Discord-ID-en din: tallet som Discord bruker for å fortelle meg hvem som spiller. Ikke navnet, ikke bildet og ikke det du skriver; jeg ser bare kommandoene og knappene du bruker hos meg. Navnene i resultatlister spør jeg Discord om når de trengs; jeg lagrer dem ikke.
    - Spillene dine: utdelingen, reglene, hvert trekk, poengene, og når spillet ble delt ut og sist spilt. Statistikken regnes ut fra dette.
    - Hvor det nyeste bordet i et spill står: kanalen, meldingen og ordene i den, slik at eldre bord mister knappene.
    - Innstillingene dine.
    - Resultatene dine i dagens kabal, og hvilke servere du har spilt på, for resultatlistene der.
    - Utfordringer du har laget eller blitt med på, og daglige meldinger du har bestilt for en server.
    ### Hvorfor
    For at du skal kunne spille videre, se hvordan det går og måle deg med venner. Ikke til noe annet. Andre ser bordene dine, plassene dine i resultatlister og statistikken din, hvis du ikke skjuler dem i `/innstillinger`. Den som driver boten, kan lese alt; ingen andre får det.
    ### Hvor lenge
    Til du sletter det; ingenting går ut på dato. Det du sletter, er borte med en gang, med ett unntak: har du hatt dagens kabal, blir resultatet stående i lista som «en spiller», og en kode laget av ID-en din med en hemmelig nøkkel sier at forsøket er brukt, slik at ingen får et til. Ut fra koden kan ingen finne ut hvem du er uten den nøkkelen, og begge deler slettes når dagen er over.
    Meldinger jeg har lagt ut, blir stående i kanalene til noen sletter dem der. Den som driver boten, kan ha sikkerhetskopier, og i dem blir slettede data liggende til kopiene byttes ut.
    ### Dette kan du gjøre
    `/eksporter` sender deg alt sammen som en fil. `/glem-meg` sletter det. I `/innstillinger` tar «Skjul meg» deg ut av resultatlister og statistikk for alle andre, og «Bare jeg ser bordene mine» skjuler bordene.
    ### Spørsmål
    Spør den som driver boten: som regel de som styrer serveren der du fant den.
export-done = Dette er alt jeg har om deg: { $games ->
    [0] ingen spill
    [one] ett spill
   *[other] { $games } spill
 }, innstillingene dine og det som hører til. `/personvern` forklarer det, `/glem-meg` sletter det.
export-packed = Filen var for stor for Discord, så den er pakket: gunzip eller 7-Zip åpner den.
export-no-files = Jeg får ikke legge ved filer i denne kanalen. Skriv `/eksporter` til meg i en direktemelding: der får jeg det.
export-too-large = Det er mer enn Discord lar meg sende, selv pakket. Den som driver boten, kan gi deg det.
forget-question =
    ## Slette alt?
    Dette sletter for godt alt jeg har om deg:
    - { $games ->
        [0] spillene dine (det er ingen)
        [one] spillet ditt med hvert trekk
       *[other] de { $games } spillene dine med hvert trekk
     }, og dermed statistikken din
    - resultatene dine i dagens kabal og plassene dine i resultatlistene
    - din del i utfordringer
    - innstillingene dine

    Har du brukt forsøket på dagens kabal, er det fortsatt brukt. `/eksporter` gir deg en kopi først.
forget-yes = Slett alt
forget-no = Behold alt
forget-kept = Ingenting ble slettet.
forget-done = **Slettet.** { $games ->
    [0] Det var ingen spill; innstillingene
    [one] Ett spill, innstillingene
   *[other] { $games } spill, innstillingene
 } dine og alt annet jeg hadde om deg, er borte. Spiller du igjen, begynner du på nytt.
forget-done-daily = Forsøket på dagens kabal er fortsatt brukt; den neste kommer <t:{ $time }:R>. Til da blir et resultat stående i lista som «en spiller».
forget-not-yours = Dette var det noen andre som spurte om. `/glem-meg` gjelder dine egne data.
command-privacy = personvern
    .description = Hva jeg tar vare på om deg, hvorfor og hvor lenge
command-export = eksporter
    .description = Alt jeg har om deg, som en fil til deg alene
command-forget-me = glem-meg
    .description = Slett alt jeg har om deg

## Reglene med bilder: en overskrift og to til fire korte setninger per side. `d1`, `aces` … blir stående som de er.

rulebook-page = { $game } · side { $page } av { $pages }
rulebook-back = Tilbake
rulebook-next = Neste
rulebook-game = Regler for { $game }

lesson-klondike-start =
    ### Målet
    Sju kolonner med ett til sju kort, der bare det ytterste er åpent. De andre 24 er talongen. Til høyre er de fire byggebunkene: hver skal fylles med sin sort, esset nederst og kongen øverst.
lesson-klondike-columns =
    ### Kolonnene
    I kolonnene bygger du nedover, med rødt og svart annenhver gang. Her ble { $card } lagt på { $onto }: ett hakk lavere, og svart på rødt. Kortet som var skjult under, snudde seg av seg selv: { $turned }.
lesson-klondike-run =
    ### Flere på én gang
    Et åpent kort tar med seg alt som ligger på det. { $card } gikk til { $onto } med { $rider } på ryggen, og { $turned } kom til syne. Du kan også dele rekka og flytte bare den ytterste delen.
lesson-klondike-empty =
    ### Tom kolonne
    Bare en konge får begynne en tom kolonne, alene eller med kort på seg. { $king } tok med seg to, og under lå { $turned }. Tøm derfor en kolonne når en konge står klar; ellers har du liten nytte av den.
lesson-klondike-home =
    ### Byggebunkene
    Esset kommer først, så resten av sorten oppover, ett kort om gangen. { $card } er nettopp lagt opp. Du kan hente det ytterste i en kolonne eller toppen av den åpne haugen. Vanligvis blir kortet liggende her.
lesson-klondike-stock =
    ### Talongen
    Står du fast? Trekk fra talongen. Toppkortet i den åpne haugen kan gå til en kolonne eller en byggebunke; her kan { $card } rett i mål. Er talongen tom, snus haugen uten å stokkes, så ofte reglene tillater.
lesson-klondike-end =
    ### Slutten
    Alle 52 kortene er på byggebunkene: kabalen gikk opp! Poengene er antall kort der. Ellers er det slutt først når verken kolonnene eller talongen har noe som kan spilles, eller når du gir opp.
lesson-klondike-rules-one =
    ### Regler: ett kort om gangen
    `d1`: trekk ett, og snu haugen så ofte du vil. Lettest, og fint å begynne med.
    `d1p3`: tre runder gjennom talongen. På bildet begynner den andre.
    `d1p1`: bare én runde, og så er det slutt på talongen.
    Du velger regler i `/ny`.
lesson-klondike-rules-three =
    ### Regler: tre kort om gangen
    Hvert trekk snur tre kort, og bare det øverste er i spill. { $first } og { $second } må vente under { $top }.
    `d3`: så mange runder du vil. Det du spiller, avgjør hvilke kort som ligger øverst neste gang.
    `d3p1`: bare én runde, og vanskeligst av alle.
lesson-klondike-tips-turn =
    ### Tips: snu kort
    Det er de skjulte kortene som stopper deg. Velg helst trekk som snur et av dem, aller helst i kolonnen som skjuler flest: her gikk { $card } og { $rider } fra kolonne 7, og { $turned } kom fram. Se over kolonnene før du trekker.
lesson-klondike-tips-home =
    ### Tips: ikke så fort
    Ess og toere kan du trygt legge opp med en gang. Høyere kort kan det bli bruk for: { $kept } kunne også gått opp, men nå bærer det { $low }, og { $turned } er fri. La de fire sortene vokse jevnt.

lesson-acesup-start =
    ### Målet
    Du begynner med fire åpne kort; 48 venter i talongen. Målet er å bli kvitt alt unntatt essene. Her slår esset alle, også kongen.
lesson-acesup-discard =
    ### Kaste
    Det er toppkortene som teller. Har to av dem samme sort, kan det laveste kastes. Her måtte { $low } vike for { $high }; de to andre har hver sin sort og er trygge.
lesson-acesup-deal =
    ### Dele ut
    En utdeling gir alle fire plassene et nytt kort, også den tomme. Du kan dele ut tolv ganger, når du selv vil. Kort som blir dekket, får du tak i igjen når det som ligger på dem, er borte.
lesson-acesup-chain =
    ### Det ene fører til det andre
    { $high } har nettopp tatt { $low }. Under lå { $bared } i samme sort. Det kortet kan også kastes, og da blir plassen tom.
lesson-acesup-empty =
    ### Tom plass
    På en tom plass kan du legge et toppkort, og det som lå under, kommer til syne. Her flyttet { $moved } seg. Nå er { $bared } øverst igjen, og { $low } kan kastes. Du trenger ikke fylle plassen; utdelingen gjør det for deg.
lesson-acesup-end =
    ### Slutten
    Alle 48 er kastet, og essene står alene: kabalen gikk opp! Poengene er antall kastede kort. Er talongen tom, er det slutt hvis ingen trekk kan føre til et nytt kast.
lesson-acesup-rules-aces =
    ### Regler: `standard` og `aces`
    `standard` er det du har sett til nå. Rundt én av 35 kabaler går opp.
    `aces` er strengest: til en tom plass får bare ess gå. Her kan ikke { $stuck } det, så plassen venter på neste utdeling. Rundt én av 270 går opp.
    Du velger regler i `/ny`.
lesson-acesup-rules-cell =
    ### Regler: `cell`
    De snilleste reglene: ved siden av er det en fri celle med rom for ett kort. Her ble { $parked } satt dit, og nå kan { $high } ta { $low }. Kortet i cella er ute av spill til det får en tom plass.
lesson-acesup-rules-pairs =
    ### Regler: `pairs`
    To toppkort med lik verdi kan også kastes sammen, selv om sortene er ulike: her { $one } og { $other }. Bare essene må bli. Regler kan blandes, for eksempel `cell+pairs`.
lesson-acesup-tips-places =
    ### Tips: tomme plasser
    Prøv å få tomme plasser, for ellers slipper du ikke ned i bunkene. Se hva et trekk vil avdekke; et høyt kort er ofte best. Ess er fine å flytte, for de skal jo stå igjen til slutt. { $moved } lå oppå { $low }: nå kan esset ta det.
lesson-acesup-tips-deal =
    ### Tips: før du deler ut
    Se en gang til før du deler ut, for alle bunkene blir dekket. { $high } kan ta { $low } nå; senere kan { $low } være låst inne for godt. Husk hva som er kastet: er det lite igjen av en sort, har de høye kortene lite å gjøre.

## Dagens kabal

date = { $day }. { $month } { $year }
date-without-year = { $day }. { $month }
month-1 = januar
month-2 = februar
month-3 = mars
month-4 = april
month-5 = mai
month-6 = juni
month-7 = juli
month-8 = august
month-9 = september
month-10 = oktober
month-11 = november
month-12 = desember
turn-new-daily = **Dagens kabal, { $date }.** Alle får disse kortene, én gang, uten å angre og uten tips. Bare du ser dette bordet. Den avsluttes <t:{ $time }:R>.
turn-new-challenge = **Kabalen din i utfordringen.** De andre får de samme kortene; ingen kan angre eller får tips. Bare du ser dette bordet.
turn-won-contest = 🎉 **Kabalen gikk opp!** { $score } av { $full } på { $moves ->
    [one] ett trekk
   *[other] { $moves } trekk
 }.
turn-over-contest = **Slutt:** { $score } av { $full }.
turn-given-up-contest = **Gitt opp** på { $score } av { $full }.
turn-expired-daily = **Dagen tok slutt** før kabalen gjorde det: { $score } av { $full } teller.
turn-ended-daily = `/resultater` viser hvor du ligger, `/del` forteller det til vennene dine uten å røpe noe. Neste kabal kommer <t:{ $time }:R>.
turn-ended-challenge = Kortet for utfordringen viser hvordan det går med de andre.
turn-footer-daily = { $game } · dagens kabal { $date }
turn-footer-daily-ended = { $game } · dagens kabal { $date } · kode { $seed }
turn-footer-hidden = { $game } · { $rules } · utfordring
picture-daily = dagens kabal { $date }
picture-challenge = utfordring
fault-not-in-contest = Dagens kabal og utfordringer spilles uten dette: alle har samme sjanse.
fault-daily-first = Det er kortene i dagens kabal. Spill den ferdig først: `/dagens`.
fault-daily-spent = Du har hatt dagens forsøk; det ble slettet med resten da du ba om å bli glemt. Neste kabal kommer <t:{ $time }:R>.
command-daily = dagens
    .description = Dagens idiotkabal: samme kort til alle, ett forsøk
fault-bad-day = «{ $text }» er ingen dag med en resultatliste. Skriv en dato som 24.12.2026, eller velg fra lista.
control-board = Resultater

## Resultatlister

board-title = ## { $days } · { $scope }
board-scope-server = denne serveren
board-scope-everyone = alle
board-when-today = I dag
board-when-yesterday = I går
board-when-week = Denne uka
board-when-all = Alle dager
board-days = { $first } – { $last }
board-line = { $rank } { $score } · { $name }
board-line-days = { $rank } { $score } · { $name } ({ $days ->
    [one] én dag
   *[other] { $days } dager
 })
board-somebody = en spiller
board-own = Du: nr. { $rank } av { $players }, med { $score }
board-own-hidden = Du ville vært nr. { $rank }, med { $score }. Ingen andre ser deg her, slik du har valgt i `/innstillinger`.
board-playing = Din egen kabal for dagen er ikke ferdig: `/dagens`.
board-empty = Ingen er ferdig ennå. `/dagens` deler ut til deg.
board-empty-dealt = Ingen er ferdig ennå.
board-empty-hidden = Det er ingen å se her ennå.
board-empty-over = Ingen spilte.
board-players = { $count ->
    [0] ingen spillere
    [one] én spiller
   *[other] { $count } spillere
 }
board-average = gjennomsnitt { $average }
board-final = avsluttet
board-ends = avsluttes <t:{ $time }:R>
board-best-proven = Best mulig: { $best } (bevist)
board-best-found = Best mulig: minst { $best }, høyst { $bound }
board-deal = Kortene: `{ $code }`
decimal-mark = ,
board-more = Hvilke dager
board-mine-server = Denne serveren
board-mine-everyone = Alle
board-picture-title = Kastede kort { $days }
board-picture-title-days = Kastede kort, { $days }
board-picture-own = du: { $score }
board-picture-mean = snitt { $average }
board-picture-axis = kastede kort
board-alt = Hvor mange spillere som kastet hvor mange kort.
board-alt-own = Du kastet { $score }.
board-alt-score = { $score }: { $count }
fault-no-server = I en direktemelding er det ingen resultatliste for en server. Velg alle.
command-leaderboard = resultater
    .description = Hvem som kastet flest kort i dagens kabal
    .scope = hvem
    .scope-description = De som spiller på denne serveren, eller alle
    .when = når
    .when-description = I dag, en dato, denne uka eller alle dager

## Den daglige meldingen

control-play-daily = Spill dagens kabal
post-new = **Dagens kabal, { $date }**, er her: idiotkabal, samme kort til alle, ett forsøk. Den avsluttes <t:{ $time }:R>.
post-best = Dagens beste spill:
post-best-alt = Det beste spillet { $date } som animasjon: { $score } av { $full }.
channel-chosen = Hver dag legger jeg ut resultatene og dagens kabal i { $channel }, på norsk. `/dagens-kanal av:True` avslutter det.
channel-none = Ingen kanal er valgt. `/dagens-kanal kanal:#navn` velger en for resultatene og dagens kabal hver dag.
channel-now = Den daglige meldingen kommer i { $channel }. `/dagens-kanal av:True` avslutter det, en annen kanal flytter den.
channel-off = Det kommer ingen flere daglige meldinger.
channel-off-none = Det var ingen daglige meldinger.
trouble-forbidden = Jeg kunne ikke skrive i { $channel }: jeg har ikke lov der. En som styrer serveren, kan gi meg **Se kanal**, **Send meldinger** og **Legg ved filer** i den, eller `/dagens-kanal` kan velge en annen.
trouble-files = Jeg skrev i { $channel } uten bilder, fordi jeg ikke har lov til å legge ved filer der. En som styrer serveren, kan gi meg **Legg ved filer**.
trouble-gone = Kanalen for den daglige meldingen på en av serverne dine er borte, så det kommer ingen flere meldinger. `/dagens-kanal` velger en annen.
trouble-other = Jeg kunne ikke skrive i { $channel } akkurat nå. Prøv igjen. (Feil { $id })
command-daily-channel = dagens-kanal
    .description = Legg ut resultater og dagens kabal i en kanal hver dag
    .channel = kanal
    .channel-description = Hvor; utelat den for å se hva som er valgt
    .off = av
    .off-description = Ingen flere daglige meldinger
## Å dele en kabal

share-daily = { $game } { $date } · { $score }/{ $full } { $squares }
share-result = { $game } · { $score }/{ $full } · { $code }
share-deal = { $game } · { $code }
share-play = Spill den samme
turn-new-copy = **En kopi av det spillet:** { $score } av { $full } etter { $moves ->
    [one] ett trekk
   *[other] { $moves } trekk
 }. Den teller ikke i statistikken din; `/angre` går tilbake i den.
fault-code-alone = En spillkode sier alt om kortene: la spill, regler og kode stå tomme.
fault-certain-deal = En kode eller spillkode er én bestemt kabal, enten den kan gå opp eller ikke: la `kode` og `spillkode` stå tomme, eller `går-opp`.
fault-no-winnable = { $looks ->
    [yes] Jeg vet ennå ikke om noen kabal med disse reglene som kan gå opp. Jeg leter etter en nå: prøv igjen om et minutt
   *[no] Jeg vet ikke om noen kabal med disse reglene som kan gå opp, og kan ikke lete etter en nå
 }{ $rules ->
    [none] .
   *[other] , eller velg { $rules }.
 }
fault-code-move = Trekk { $number } i det spillet, { $move }, går ikke. { $why }
fault-shared-gone = Det spillet finnes ikke lenger. `/ny spillkode:…` med en kode som er delt, gir de samme kortene.
fault-code-no-move = Trekk skrives som `3-5`, `w-fh` eller `3-5x2`.
fault-code-too-many-moves = Det spillet har flere trekk enn jeg tar vare på: høyst { $limit }.
fault-share-later = { $contest ->
    [daily] Du kan dele dagens kabal når du er ferdig med den.
   *[other] Du kan dele et spill i en utfordring når alle i den er ferdige; til da er spillkoden hemmelig.
 }
command-share = del
    .description = Legg ut spillkoden, eller hvordan dagens kabal gikk, uten å røpe noe

## Utfordringer

names-and = { $first } og { $last }
challenge-title = ### { $creator } utfordrer { $friends }
challenge-title-open = ### { $creator } utfordrer alle her
challenge-title-nobody = ### En utfordring
challenge-deal = **{ $game } · { $rules }**: de samme kortene til alle, på hvert sitt bord, uten å angre og uten tips.
challenge-ended = **{ $rank }.** { $name } · **{ $score }** på { $moves } trekk
challenge-given-up = **{ $rank }.** { $name } · **{ $score }**, ga opp ved trekk { $moves }
challenge-playing = ▸ { $name } · spiller: { $score } etter { $moves } trekk
challenge-waiting = ▹ { $name } · ikke begynt
challenge-empty = Det er ingen med lenger.
challenge-winner = 🏆 { $names } **vant med { $score }!**
challenge-tie = 🤝 **Uavgjort med { $score }:** { $names }
challenge-code = Spillkode: `{ $code }`
challenge-open = Alle kan bli med til <t:{ $time }:f>, <t:{ $time }:R>, så lenge det er færre enn ti.
challenge-closed = Kortene er hemmelige til alle er ferdige.
challenge-final = Alle er ferdige. `/ny spillkode:…` med denne koden gir hvem som helst kortene.
challenge-play = Spill
challenge-show = Oppdater
challenge-compare = Sammenlign
fault-no-such-challenge = Den utfordringen er borte. `/utfordring` lager en ny.
fault-not-invited = Denne utfordringen er for dem den nevner. `/utfordring` lager en av dine egne.
fault-challenge-full = Denne utfordringen er full. `/utfordring` lager en ny.
fault-challenge-closed = Fristen for å bli med i denne utfordringen er ute. `/utfordring` lager en ny.
fault-no-player = Boter spiller ikke. Utfordre et menneske, eller ikke nevn noen: da kan alle bli med.
fault-nobody-else = Det er deg selv. Nevn en annen.
command-challenge = utfordring
    .description = Spill de samme kortene som vennene dine, og se hvem som klarer seg best
    .game = spill
    .game-description = Hvilken kabal
    .rules = regler
    .rules-description = Hvilke regler; lista har de vanlige
    .seed = kode
    .seed-description = Et tall eller en hvilken som helst tekst; la den stå tom for kort ingen kan kjenne
    .friend1 = venn1
    .friend1-description = Hvem du utfordrer; nevn ingen, så kan alle bli med
    .friend2 = venn2
    .friend2-description = En til
    .friend3 = venn3
    .friend3-description = En til
    .friend4 = venn4
    .friend4-description = En til
    .friend5 = venn5
    .friend5-description = En til

## Å sammenligne

compare-title = **De samme kortene, to spill**
compare-you = Du
compare-line = { $name }: **{ $score }** av { $full } på { $moves } trekk
compare-same = De er like, trekk for trekk.
compare-parted = **De skilte lag ved trekk { $number }:**
compare-played = { $name }: { $played }
compare-ended = sluttet her
fault-own-game-first = Du kan sammenligne når ditt eget spill er slutt; den som bare ser på, kan det når alle er ferdige.
fault-nothing-to-compare = Det finnes ikke noe ferdig spill av den spilleren på disse kortene som du kan se.
command-compare = sammenlign
    .description = Det ferdige spillet ditt ved siden av en venns på de samme kortene
    .friend = venn
    .friend-description = Hvem sitt spill
