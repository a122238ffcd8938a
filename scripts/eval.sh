#!/bin/sh
# Prints what the advisor writes from the labeled messages of tests/truth: the figures of docs/TRUTH.md. Fails where a value is wrong.
set -eu
cd "$(dirname "$0")/.."
truth=tests/truth
tuned="$truth/casual.jsonl $truth/negotiation.jsonl $truth/home-services.jsonl $truth/letters.jsonl $truth/dialogues.jsonl $truth/everyday.jsonl"
unseen="$truth/home-services-unseen.jsonl $truth/letters-unseen.jsonl $truth/dialogues-unseen.jsonl $truth/everyday-unseen.jsonl"
second="$truth/chat-unseen.jsonl $truth/desk-unseen.jsonl $truth/phone-unseen.jsonl $truth/answers-unseen.jsonl $truth/plain-unseen.jsonl"
third="$truth/owners-unseen.jsonl $truth/trades-unseen.jsonl $truth/careful-unseen.jsonl $truth/chatty-unseen.jsonl"
fourth="$truth/kitchen-unseen.jsonl $truth/evening-unseen.jsonl"
fifth="$truth/morning-unseen.jsonl $truth/partners-unseen.jsonl $truth/signed-unseen.jsonl $truth/second-career-unseen.jsonl $truth/bakery-unseen.jsonl $truth/bookkeeper-unseen.jsonl $truth/dictated-unseen.jsonl $truth/interview-unseen.jsonl $truth/lunch-break-unseen.jsonl"
intents=tests/intents
taught="$intents/phone.jsonl $intents/letters.jsonl $intents/chatty.jsonl $intents/terse.jsonl $intents/second-language.jsonl $intents/trucks.jsonl $intents/office.jsonl $intents/notes.jsonl $intents/spreadsheet.jsonl $intents/kitchen.jsonl $intents/border.jsonl $intents/operators.jsonl $intents/cafe.jsonl $intents/studio.jsonl $intents/worry.jsonl $intents/salon.jsonl $intents/plumber.jsonl $intents/garage.jsonl $intents/pool.jsonl $intents/laundry.jsonl $intents/tutor.jsonl $intents/barber.jsonl $intents/tacos.jsonl $intents/daycare.jsonl $intents/preschool.jsonl $intents/movers.jsonl $intents/bikes.jsonl $intents/dentist.jsonl $intents/dawn.jsonl $intents/vet.jsonl $intents/farmstand.jsonl $intents/cleaner.jsonl $intents/coach.jsonl $intents/retail.jsonl $intents/rideshare.jsonl $intents/bookshop.jsonl $intents/engineer.jsonl $intents/hairdo.jsonl $intents/postal.jsonl $intents/welder.jsonl $intents/nightshift.jsonl $intents/pests.jsonl $intents/nailbar.jsonl $intents/janitor.jsonl $intents/flight.jsonl $intents/veteran.jsonl $intents/pharmacy.jsonl $intents/askers.jsonl $intents/caterer.jsonl $intents/glazier.jsonl $intents/rancher.jsonl $intents/saddler.jsonl $intents/ferry.jsonl $intents/orchard.jsonl $intents/parlor.jsonl $intents/payroll.jsonl $intents/carwash.jsonl $intents/ledger.jsonl $intents/evenings.jsonl"
apart="$intents/first-unseen.jsonl $intents/second-unseen.jsonl $intents/third-unseen.jsonl $intents/fourth-unseen.jsonl $intents/fifth-unseen.jsonl $intents/sixth-unseen.jsonl $intents/seventh-unseen.jsonl $intents/eighth-unseen.jsonl $intents/ninth-unseen.jsonl $intents/tenth-unseen.jsonl $intents/eleventh-unseen.jsonl $intents/twelfth-unseen.jsonl $intents/thirteenth-unseen.jsonl $intents/fourteenth-unseen.jsonl $intents/fifteenth-unseen.jsonl"
sample="$truth/casual.jsonl $truth/negotiation.jsonl"
run() {
    printf '\n%s\n' "== $1"
    shift
    cargo run --locked --quiet -- eval "$@"
}
# shellcheck disable=SC2086
{
    run "offline advisor, messages that the words were tuned to" $tuned
    run "offline advisor, messages that were set aside" $unseen
    run "offline advisor, messages by five further writers" $second
    run "offline advisor, messages by four further writers" $third
    run "offline advisor, messages by two further writers" $fourth
    run "offline advisor, messages by nine further writers" $fifth
    run "offline advisor, values and wishes that the ear was made of" $taught
    run "offline advisor, values and wishes by fifteen writers that were set aside" $apart
    run "offline advisor, plain cases by a sixteenth writer, plain questions by a seventeenth" $intents/sixteenth-unseen.jsonl $intents/seventeenth-unseen.jsonl
    run "offline advisor, what strangers asked in their evenings, a fifth that was set aside" $intents/evenings-unseen.jsonl
    run "offline advisor, what stands behind its own answers, a sixth and five writers that were set aside" $intents/talks-unseen.jsonl $intents/nights-unseen.jsonl $intents/eighteenth-unseen.jsonl $intents/nineteenth-unseen.jsonl $intents/twentieth-unseen.jsonl
    run "offline advisor, deceiving sentences" $truth/deceiving.tsv $truth/white-box.tsv
    run "offline advisor, messages written with the vocabulary in view" $truth/white-box-dialogues.jsonl
    run "a strong model's calls, second look off" --mode calls $truth/calls.jsonl $sample
    run "a strong model's calls and verdicts" --mode calls $truth/calls.jsonl --review $truth/verdicts.jsonl $sample
    run "every trap called at high confidence, second look off" --mode traps $tuned $unseen $second $third $fourth $fifth
}
# The worst case: a model that takes every trap, and a second look that confirms everything. It is a figure, not a floor.
# shellcheck disable=SC2086
run "every trap, a second look that confirms everything" --mode traps --review all-stated $tuned $unseen $second $third $fourth $fifth | sed '/^Wrong/,$d'
