//! Word lists. What a word does to a number is said where the list is used.

use std::collections::HashSet;
use std::sync::LazyLock;

/// One function per list; its words stand in one text, parted by white space.
macro_rules! word_lists {
    ($($(#[$doc:meta])* $name:ident: $words:literal;)*) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(word: &str) -> bool {
            static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| $words.split_whitespace().collect());
            WORDS.contains(word)
        })*
    };
}

word_lists! {
    /// Ends with a dot that ends no sentence.
    is_abbreviation: "
        approx ca est no st mr mrs ms dr vs etc incl p a avg min max mo yr u s e g i
    ";
    /// Before a name that can also be a verb.
    is_article: "
        the a our my new for and outdoor that this on in
    ";
    /// Says yes.
    is_assent: "
        yes y yeah yep yup ok okay sure correct right exactly confirmed confirm absolutely definitely indeed
        perfect affirmative
    ";
    /// Tells of a change.
    is_change: "
        change changed changes went goes going go moved move raised raise dropped drop lowered lower cut switch
        switched increased increase decreased bump bumped update updated adjust up down renegotiated revised
        came rose fell jumped
    ";
    /// Orders the advisor to record something.
    is_command: "
        set put make change update record use enter note write add save log switch fix correct mark adjust go
        plug input be tell
    ";
    /// Leads from a number to its name.
    is_connector: "
        for in on of to towards toward the my our a an as base per month each is that this total new goes go
        from every single year monthly annual yearly flat fixed all just will be into out it's that's under
        local out-of-pocket shop business store please initial
    ";
    /// Leads from a name to its number.
    is_copula: "
        is are was were be at to of costs cost runs run pay paying comes equals as for will about around over by
        about, in it's its us me with came gets takes
    ";
    /// A line of a plan that can be somebody's.
    is_cost_word: "
        rent lease royalty loan sales revenue payroll labor insurance utilities build buildout salary draw rate
        term marketing fee monthly annual
    ";
    /// People and places that a profile counts.
    is_counted: "
        people employees employee staff staffers groomers groomer workers worker hires locations location units
        stores store shops salons salon person stylists bathers folks
    ";
    /// Makes a lonely "one" a number.
    is_counted_noun: "
        percent pct percentage dollar cent month months year years day days week location locations unit store
        salon shop employee person groomer groomers times x euro pound peso
    ";
    /// Goes with a yes and says nothing else.
    is_courtesy: "
        that that's thats it it's is is, do go ahead with this sounds good looks works for me a month monthly
        per year yearly annually weekly week please thanks thank you record write down put in the number one i
        agree great fine let's lets use set we all so quarterly quarter every each biweekly save
    ";
    /// Before a calendar year.
    is_dating: "
        in since by during until till from after before fiscal fy early late mid of summer spring fall winter
        through circa year for
    ";
    /// What a third person does.
    is_deed: "
        pay pays paid paying spend spends have has had make makes borrowed got run runs said says told did do
        does signed sell sells employ use
    ";
    /// Behind "don't": there is none of it.
    is_denied_deed: "
        pay paying have having need needing take taking owe charge carry use using any be going own got get hold
        borrow borrowing draw drawing plan spend want a
    ";
    /// Stands before the base of a share.
    is_determiner: "
        the my our all total gross net monthly annual mature full whole its these each every
    ";
    /// Adds nothing of its own.
    is_filler: "
        i we it they he she you i'm we're i'll we'll i'd we'd it'll there here and but or so then now no not
        wait actually sorry mean meant make rather instead oops correction scratch exactly precisely even maybe
        probably roughly approximately perhaps like think guess say let's have has had got get going should
        would could might may can set put use change update record note write enter used percent dollars bucks
        yes yeah yep ok okay well um uh hmm please thanks thank right currently today only also too still hey hi
        hello oh ah er btw lol fyi basically honestly anyway both ends end up don't doesn't isn't if when what
        charge charges spend spending which annually weekly quarterly biweekly week quarter months years days
        budget budgeting budgeted planning plan expect expecting figure number amount rate fee fees bill payment
        cost amounts does do did been being
    ";
    /// The speaker.
    is_first_person: "
        i we my our i'm we're i'll we'll i've we've ours mine us me
    ";
    /// Before "$": another country's.
    is_foreign_dollar: "
        c ca cad a au nz hk s sg r mx mex nt can aud
    ";
    /// Before an order.
    is_greeting: "
        hi hey hello ok okay so and please also then
    ";
    /// Behind "no": nothing is denied.
    is_harmless_after_no: "
        idea clue wait problem longer more way doubt one matter worries thanks it's i rush no
    ";
    /// Measures or counts what no plan holds.
    is_measure: "
        sq sqft square feet ft sf foot hours hour hrs hr minutes min mins miles mile lbs lb kg am pm o'clock
        inches inch degrees dogs cats pets clients customers appointments parking stations rooms kids quarters
        decades cars pages
    ";
    /// A month.
    is_month_name: "
        january february march april may june july august september october november december jan feb mar apr
        jun jul aug sep sept oct nov dec
    ";
    /// No street is called so.
    is_no_street_name: "
        a an the per in on for of and or is at to month year months years k grand thousand million dollars
        percent each every monthly i we my our
    ";
    /// One letter from an alias, and means what it says.
    is_ordinary: "
        repaid groomed managed manage reserved employer raised deferred marking parking permitted financial
        supplied training later waters painting rating lending leading worker worked signed sighed clearing
        leaning locating opened closing opening growth rental rented booking boarding building borrower payment
        grossed turned raising franchise phone phoned other others amount mother months month starting stating
        coming taking making trading interested leased license deposited reverse principal multiplied realty
        loyalty launched lunch stocks equity quality average coverage beverage computed compute commuter
        employed distributed insured insurer assurance ordinance retail detail tables cables stable whole while
        white there their where these those water after offer order under never sever seven eleven power tower
        lower sales scale sale salon store stone score shore story storage shops chops teams steam beam
    ";
    /// Somebody else, or people in general.
    is_other_person: "
        friend friends friend's buddy buddy's cousin cousin's neighbor neighbors neighbor's neighbour brother
        brother's sister sister's uncle uncle's colleague competitor competitors competitor's competition guy
        guys somebody someone somebody's someone's everyone everybody anyone franchisee franchisees franchisee's
        average typical typically industry elsewhere theirs his hers roommate tenant tenants others predecessor
        nextdoor ex dad dad's mom mom's father mother son daughter coworker acquaintance rival norm benchmark
        usually
    ";
    /// Before "pays": the business itself, or no subject.
    is_own_subject: "
        i we business company salon shop store llc that which who it also and corporation franchise rent
        customer just already have ve i've we've only wife husband partner then entity plan actually were was be
        been is amount total has had being money loan
    ";
    /// Numbers what follows.
    is_reference: "
        item items section page pages chapter step suite ste apt apartment room no form exhibit question option
        route hwy highway interstate zip box version article rule tier phase line lot building floor slide part
        act size bay pad exit number code district model series season episode level fdd top
    ";
    /// What an injected instruction wants ignored.
    is_rule_word: "
        rules rule instructions instruction prompt prompts guidelines guardrails safety restrictions
    ";
    /// What the plan's percentages are shares of.
    is_share_base: "
        sales revenue revenues wages payroll turnover receipts investment project costs uses gross volume auv
        income it everything startup billings total salaries
    ";
    /// Ends the name of a street.
    is_street: "
        street st avenue ave road rd boulevard blvd lane ln drive dr parkway pkwy way court plaza highway hwy
        circle terrace trail
    ";
    /// May stand directly behind digits.
    is_suffix: "
        k m mm mil b bn x mo mos mth mths yr yrs y d wk wks pct bps grand thousand million dollars bucks percent
        usd eur cad gbp months month years year days day ish th st nd rd cents dollar cent hrs hr sf sqft ft am
        pm thou mn mio
    ";
    /// Ends in s and names no thing.
    names_nothing: "
        thanks plus always this less minus perhaps does goes gives covers includes versus besides unless works
        seems looks sounds buys gets says means costs utilities supplies wages sales royalties taxes benefits
        fees repairs raises revenues deposits permits licenses groceries vehicles yes pays runs stays tops max
    ";
}
