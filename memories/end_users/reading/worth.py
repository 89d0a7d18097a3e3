"""Which clauses are worth remembering: what lasts of who says it, and nothing that is only for now. Pure.

Goes in: a clause in the first person, its short forms written out.
"""

import re

_ASKING = (
    r"(?:what|who|whom|whose|which|where|when|why|how)(?: (?:much|many|long|old|far|often|come|about|else))?"
    r" (?:is|are|am|was|were|do|does|did|can|could|would|will|should|may|might|shall|has|have|the|kind"
    r"|sort|time|to|if)\b"
    r"|(?:is|are|am|was|were|do|does|did|can|could|would|will|should|may|might|shall|has|have|had) (?:not )?"
    r"(?:I|you|we|it|he|she|they|this|that|there|these|those|my|our|your|the|an?|anyone|anybody|somebody)\b"
    r"|any (?:ideas?|tips|chance|suggestions|advice|recommendations?|thoughts)|what about|how about"
)
_QUESTION = re.compile(rf"(?:and |but |so |or |then |also |well,? )*(?:{_ASKING})", re.IGNORECASE)
_UNREAL = re.compile(
    r"\bif (?:only )?(?:I|we|my \w+) (?:were|was|had|could|won|lived|worked|moved|owned|knew|became"
    r"|ever|did|got|should)\b"
    r"|\b(?:imagine|suppose|supposing|pretend|hypothetically|what if|assume|assuming|let us say|let's"
    r" say|let's pretend"
    r"|(?:(?<=^)|(?<=, ))say I|as if I|as though I|in another life|in theory|for example,? if|wish"
    r" (?:I|we)|role-?play|in a parallel)\b"
    r"|\b(?:I|we) would (?:have|be|not|never|probably|buy|go|move|live|say|think|take|do|make|get|try)\b"
    r"|\b(?:act|behave|write|talk|respond|answer) as (?:if|though) I\b|\bin (?:my|the) (?:novel|story"
    r"|game|dream)\b.*\bI\b",
    re.IGNORECASE,
)
_UNSERIOUS = re.compile(
    r"(?:^|\s)/s\b|\b(?:just kidding|only kidding|kidding|jk|j/k|just joking|joking|said no"
    r" one ever|yeah,? right"
    r"|as if!|sarcasm|lmao|lmfao|rofl|obviously not)\b|\bhaha+\W*$"
    r"|\b(?:I|we) (?:just|simply|absolutely|totally|so) (?:love|adore|enjoy) (?:it when|when|how|that"
    r"|being|waiting|having to)\b"
    r"|^(?:oh|wow|yeah|sure|great|yay|ah|right)[ ,!]+(?:sure|great|yeah|because|right|wonderful"
    r"|fantastic|perfect|thanks|I just|I totally)\b"
    r"|\b(?:of course|surely) I (?:just |simply |absolutely )+(?:love|adore)\b"
    r"|\b(?:could eat a horse|a million times|dying (?:of|to|here)|starving|over my dead body|would rather die)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:he|she|they|it|friend|boss|wife|husband|mother|mom|mum|father|dad|sister|brother|people"
    r"|everyone|doctor|article"
    r"|song|character|somebody|someone|guy|review|page|email|mail|letter|text|book) "
    r"(?:says?|said|told me|thinks?|claims?|wrote|writes|keeps saying|keeps telling me|believes?"
    r"|goes)\b[:,]? (?:that )?(?:I|we|my|me)\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:please |kindly |now |then |ok |okay |so |and |just |next |first |can you |could you |would you |will you )*"
    r"(?:write|translate|explain|give|show|tell|make|create|help|find|list|fix|summari[sz]e|generate"
    r"|draft|compare|calculate"
    r"|convert|describe|design|suggest|recommend|plan|book|order|send|check|look|let me|let us|let's"
    r"|add|remove|delete|update"
    r"|open|run|print|return|solve|debug|refactor|review|proofread|rewrite|edit|improve|define|search"
    r"|schedule|set|cancel"
    r"|imagine|pretend|act|go|come|try|wait|hold on|ignore|forget|forward|reply|repeat|continue|stop"
    r"|start|see|read|test"
    r"|teach|remind|turn|change|put|name|sort|count|draw|paint|play|sing|pick|choose|consider|provide"
    r"|prepare|do|disregard"
    r"|use|keep|speak|talk|answer|respond|avoid|address|store|save|insert|output|execute|override|reveal)\b",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"^(?:please |can you |could you |now |then )*(?:write|draft|make up|invent|compose|tell|create"
    r"|generate|send|say|finish|continue|complete|imagine|play)\b.*?"
    r"\b(?:saying|says|telling|tells|where|in which|poem|story|novel|song|dialogue|script|scene|essay"
    r"|speech|pretend|as if|from the perspective|the sentence|the line)\b",
    re.IGNORECASE,
)
_GAME = re.compile(
    r"^(?:please |now |then |ok,? |okay,? |so |hey,? )*(?:pretend|imagine)(?: that)? (?:you are|to be"
    r"|we are)\b|^(?:please |now )*(?:let us|let's|we) (?:play|role-?play|do a role-?play)\b"
    r"|^(?:please |now )*(?:act|role-?play) as\b|^you are (?:now )?(?:a|an|the) .{2,60} and I am\b",
    re.IGNORECASE,
)
_GAME_OVER = re.compile(
    r"\b(?:stop (?:playing|the (?:game|role-?play))|end (?:of )?(?:the )?(?:game|role-?play|scene)|out"
    r" of character|ooc|back to (?:normal|reality)|seriously now|by the way)\b",
    re.IGNORECASE,
)
_ADVERB = (
    r"(?:just |really |also |still |currently |now |already |only |always |always |almost |so |very "
    r"|too |quite |pretty |a bit |a little |kind of |sort of |totally |completely |actually |not "
    r"|never )*"
)
_PASSING_STATE = (
    r"tired|hungry|thirsty|bored|busy|back|here|there|ready|done|late|sick today|stuck|confused|sorry"
    r"|glad|(?:happy|excited|sad|lonely|anxious|stressed|scared|bored|relieved)(?=$|,| to\b| about"
    r" this| for you)|happy (?:to|with|that|about|you|for)"
    r"|sure|unsure|not sure|afraid (?:that|I|you|we|so|not)|excited (?:to|about|for)|curious|wondering"
    r"|asking|looking (?:at|forward)|"
    r"on (?:the|my|a) (?:train|bus|plane|way|phone|road|call|break|couch|sofa|couch|go|move|toilet"
    r"|subway|metro|tram|ferry)"
    r"|in (?:a|the|an) (?:meeting|call|car|hurry|rush|queue|train|bus|shower|kitchen|middle|taxi|uber"
    r"|lobby|elevator|bad mood|good mood)"
    r"|at (?:the|a|an) (?:airport|station|store|shop|supermarket|moment|bus|cafe|café|doctor|dentist"
    r"|restaurant|bar|beach|gym|checkout|pharmacy)"
    r"|at lunch|at work|at home|in bed|home|outside|online|offline|off to|away(?! from| until| for)|about to|heading"
    r"|waiting|driving (?:to|home|right)|walking|sitting|standing|watching|listening|"
    r"getting (?:an?|the|this|some|no|ready|tired|late|started|back|off|on|there)|having|trying to"
    r" (?:fix|find|get|understand|figure|open|log|connect|install|make|write|use|run|do|see|change|set"
    r"|print|cancel|reach|call|download|access|decide|remember|say|ask|tell)"
    r"|running (?:late|out|into|the|a|this|it|low|behind)|testing|seeing|using (?:this|it|that)|"
    r"going (?:to (?:bed|sleep|lunch|dinner|be|ask|try|check|go|have|get|the|need|grab|see|send|call"
    r"|use|make)|home|out|crazy|nuts|now|with|for)|"
    r"(?:good|fine|okay|ok|great|well)(?=$|,| thanks?| now| today| and you| with that)|all (?:set|good"
    r"|right|ears|done)|charged|billed|awake|asleep|cold|freezing|hot"
    r"|drunk|hungover|exhausted|sleepy|annoyed|frustrated|"
    r"angry|mad|upset|sad|disappointed|impressed|surprised|shocked|amazed|grateful|thankful|aware|able"
    r"|unable|willing|right|wrong|serious|joking|talking|"
    r"thinking$|guessing|sick of|fed up|calling|writing (?:to|you|this|an|a (?:short|quick|letter"
    r"|cover|mail|message|post))|texting|typing|contacting|reaching|replying|referring|attaching"
    r"|sending|"
    r"interested in (?:buying|this|your|ordering|knowing|hearing|that)|new here|your|one of|the one"
    r"|nervous|scared now|worried (?:that|about (?:this|that|the))|in trouble|lost|locked|logged|"
    r"supposed|bound|gone|down$|up$|in$|out$|off$|on it|on hold|free (?:now|today|tomorrow|on|at|this)|available|"
    r"eating|drinking|cooking (?:dinner|lunch|now|a|some|pasta)|cleaning|packing|wearing|holding"
    r"|reading (?:the|this|your|it)|paying attention|working (?:late|from home today|on (?:it|this"
    r"|that)$|right)"
)
_PASSING = re.compile(
    rf"^(?:I|we|my (?:[\w-]+ )?[\w-]+|he|she|they|it) (?:am|are|is|was|were|have been|has been)"
    rf" {_ADVERB}(?:{_PASSING_STATE})(?![\w-])"
    r"|^(?!.*\b(?:lives?|living|works?|working|stud\w+|based|unemployed|learning|single|between jobs"
    r"|saving|looking for|staying|renting|taking)\b)"
    r".*\b(?:right now|at the moment|for now|just for today|this minute|this morning|this afternoon"
    r"|this evening|tonight|just now|today only)\b",
    re.IGNORECASE,
)
_FEELING = re.compile(
    r"^(?:I|we) (?:just |really |also |still |kind of |already |only |do |did |have |had |should "
    r"|could |would |will |might |may |can |cannot |not |never |to )*"
    r"(?:feel|felt|see|saw|understand|understood|agree|disagree|guess|hope(?! to)|mean|meant|appreciate"
    r"|apologi[sz]e|wonder|wondered|thank|notice|noticed|"
    r"realize|realise|realized|realised|suppose|bet|swear|promise|beg|assume|assumed|suspect|forgot"
    r"|asked|ask|said|say|told|tell|mentioned|clicked|typed|pasted|"
    r"attached|uploaded|sent you|look|looked|hear|heard|read (?:that|somewhere|about|the|this|your)"
    r"|found (?:this|that|it|an?|the|out)|got (?:it|this|that|an? (?:error|email|message|mail|warning"
    r"|call|question)|stuck|lost|confused)|"
    r"get (?:it|this|that|an? (?:error|email|message|warning|timeout|question)|the (?:error|same"
    r"|following|idea|point)|stuck|confused|what|why|how)|believe (?:so|you|it|that is)|"
    r"think (?:so|not|you|it|that (?:is|was|it|you)|this|there|the|about it|we should)|know(?:$|,|"
    r" (?:that|it|you|what|why|if|this|right|the (?:answer|feeling)|nothing(?! about)|I|we))|"
    r"do not (?:know(?! (?-i:[A-Z]))|care|mind(?! )|think|see|understand|get|remember|believe|recall)"
    r"|did not (?:know|mean"
    r"|see|get|understand|realise|realize|receive|expect)|"
    r"cannot (?:see|find|log|open|get|believe|remember|tell|figure|access|sign|wait|make|do|click|download|connect)|"
    r"tried|try$|need (?:help|some|more|an answer|a (?:hand|minute|second|moment|bit|refund|break"
    r"|quick|summary|list|recipe|recommendation|suggestion)|it|this|that|you|your|advice|information"
    r"|assistance|to (?:ask|know|see|check|go|find|get|return|cancel|fix|change|update|reset|write"
    r"|send|make|do|buy|call|talk|speak|think|run|leave|sleep|be|print|convert|look|pick|decide|figure"
    r"|finish (?:this|it)|have|use|understand|order|book))|"
    r"have (?:a|an|another|one|some|two|few|no|this|the|several|more) (?:\w+ ){0,2}(?:question"
    r"|questions|problem|problems|issue|issues|idea|ideas|doubt|doubts|request|favour|favor|meeting"
    r"|meetings|call|headache|cold|fever|bug|error|errors|trouble|clue|minute|minutes|moment|feeling"
    r"|hunch|deadline today|thought|suggestion|complaint|look|string|list|function|file|dataframe"
    r"|table|array|query|script|variable|choice|hour|second)\b|"
    r"have (?:to (?:go|run|leave|say|admit|ask|check|wait|be|think|do|get|fix)|trouble|not (?:got"
    r"|received|heard|tried|decided|seen|had|been able|thought)|no (?:idea|clue|time|more questions)"
    r"|tried|been (?:trying|waiting|getting|having|looking|wondering|thinking|told|charged|locked|on"
    r" hold))|"
    r"take it|give up|am just|was just|would (?:say|guess|appreciate|suggest|assume|imagine)|owe you"
    r"|leave it|let you|am afraid|see no|keep getting|keep (?:seeing|having))(?![\w-])",
    re.IGNORECASE,
)
_WANTED_NOW = re.compile(
    r"^(?:I|we) (?:just |really |also |still |do |only |kind of )*(?:want|need|would like|would love"
    r"|wanted|am trying|was trying|am looking|was looking|have|like|was hoping|was wondering)"
    r" (?:you )?to (?:know|ask|see|check|understand|find|cancel|return|hear|talk|get (?:a refund|my"
    r"|the|this|it|help|in touch|an|rid|back|some|more)|report|"
    r"fix|confirm|change|reset|update|write (?:an?|the|this|to|my|some) ?(?:email|mail|letter|function"
    r"|script|message|query|test|code|regex|poem|essay|post|program|class|cover)?|"
    r"make (?:sure|a (?:reservation|booking|table|list)|an appointment|this|it)|buy (?:this|the|a|an"
    r"|some|one|two)|order|book|speak|return|exchange|complain|return|double[- ]check|share|say|tell"
    r"|thank|show|add|remove|delete|"
    r"discuss|hear|clarify|mention|point|print|parse|convert|sort|calculate|compute|translate"
    r"|summari[sz]e|debug|figure|use (?:this|that|it)|do (?:this|that|it|so)|go (?:home|to (?:bed"
    r"|sleep|the))|"
    r"be (?:clear|honest|sure)|apply (?:this|the|a|for a refund)|schedule|set up (?:this|the|a (?:call"
    r"|meeting))|send|open|eat (?:something|out|now)|sleep|compare|log|sign|connect|install (?:this"
    r"|the))(?![\w-])",
    re.IGNORECASE,
)
_WANTED_THING = re.compile(
    r"^(?:I|we) (?:just |really |also |still |only )*(?:want|need|would like|am looking for|was"
    r" looking for) (?:a|an|some|the|this|that|these|one|two|three|four|five|six|ten|more|another|your|\d+) "
    r"(?:[\w-]+ ){0,3}(?:answer|example|examples|summary|refund|recipe|list|table|poem|explanation"
    r"|recommendation|recommendations|suggestion|suggestions|"
    r"advice|information|info|help|script|function|code|regex|query|email|letter|link|ideas|tips"
    r"|invoice|receipt|replacement|quote|appointment|reservation|minute|coffee|drink|nap|break|gift"
    r"|present|restaurant|hotel|flight|place to eat|question|point|title|slogan|option|sentence"
    r"|paragraph|slide|headline|name for|synonym|word|translation|pizza)s?\b",
    re.IGNORECASE,
)
_MY_PASSING = re.compile(
    r"^(?:my|our) (?!favou?rite|preferred|usual|main|go-to|ideal)(?:[\w-]+ ){0,2}(?:"
    r"(?:knee|back|head|stomach|foot|leg|arm|throat|tooth|neck|shoulder) (?:hurts?|aches?|is"
    r" (?:killing|sore|hurting))"
    r"|(?:question|problem|issue|point|bad|guess|error|query|mistake|apologies|concern|request|train|bus|taxi|battery"
    r"|invoice|refund|turn|pleasure|god|goodness|message|thoughts?|answer|reason|idea|impression"
    r"|understanding|eyes|food"
    r"|coffee)\b"
    r"|(?:code|script|function|app|page|website|site|build|output|tests?|package|parcel|order|delivery|payment|login"
    r"|suitcase|luggage|bag|item|router|device|screen|internet|connection|wifi|laptop|computer|phone"
    r"|account|card|subscription) (?:is (?:broken|down|slow|red"
    r"|failing|not|late|missing|stuck|frozen|blank|lost|dead|dying|locked)|does not|did not|keeps"
    r"|crashe[sd]|fails?|failed"
    r"|has (?:not|been)|will not|cannot|arrived|came|was (?:declined|blocked|charged|locked)|got"
    r" (?:declined|blocked|locked)"
    r"|still|died)\b)"
    r"(?! (?:number|id|address|is called|name))",
    re.IGNORECASE,
)
_CHAT = re.compile(
    r"(?:thanks?|thank you|thx|cheers|hi|hello|hey|howdy|good (?:morning|afternoon|evening|night)|bye"
    r"|goodbye|see (?:you|ya)|ok(?:ay)?|great|cool|nice"
    r"|awesome|perfect|lol|wow|sure|alright|got it|no (?:problem|worries)|never ?mind|you are"
    r" (?:welcome|right|the best|great|amazing|awesome|so|very|wrong|not)"
    r"|that (?:is|was|sounds|makes|looks|helps?|helped|works?|worked)|this (?:is|was|looks|works?)|it"
    r" (?:is|was|works?|looks|does)|there (?:is|are|was|were)|welcome|congrat)\b",
    re.IGNORECASE,
)
_OTHERS_PASSING = re.compile(
    r"^my (?:flight|train|bus|ferry|taxi) (?:is|was|got) (?:delayed|late|cancel\w*|early|on time)\b"
    r"|^my (?:[\w-]+ ){1,3}(?:just |also |now |is just |is still )*(?:(?<!is )(?<!was )called|is"
    r" calling|texted|is"
    r" asking|asked|wants to know|is here|is asleep|is sleeping|is waiting|just|told me|said|says|"
    r"is (?:at|on) (?:the|a) (?:door|phone|store|way|shop))\b",
    re.IGNORECASE,
)
# "My kids do, though": what is done was said elsewhere.
_ELLIPTIC = re.compile(
    r"^(?:I|we|my (?:[\w-]+ ){0,2}[\w-]+) (?:actually |really |certainly |definitely |still |also"
    r" )*(?:do|does|did|am|is|are|have|has|had|can|cannot|could|will|would"
    r"|was|were)(?: not)?(?:,? (?:too|though|either|as well|so|now))?$",
    re.IGNORECASE,
)
_ERRAND = re.compile(
    r"^(?:I|we) (?:just |really |only )*(?:want|need|would like) (?:my|our) (?:money|deposit|order"
    r"|parcel|package|refund)\b"
    r"|^(?:I|we) have not (?:changed|done|touched|said) (?:anything|that|this)\b|^(?:I|we) (?:am|are)"
    r" doing (?:it|this|that)\b"
    r"|^we (?:can|could|should) (?:switch|start|talk|meet|do|try|go|move|continue|stop|end)\b",
    re.IGNORECASE,
)
_NEVER = (
    _ERRAND,
    _ELLIPTIC,
    _UNREAL,
    _UNSERIOUS,
    _REPORTED,
    _PASSING,
    _FEELING,
    _WANTED_NOW,
    _WANTED_THING,
    _MY_PASSING,
    _OTHERS_PASSING,
)


def is_question(clause: str) -> bool:
    return clause.rstrip(" \"')").endswith(("?", "？", "¿")) or bool(_QUESTION.match(clause))


def is_command(clause: str) -> bool:
    """Something that is to be done now; what is to be done always is told by `wishes`."""
    return bool(_COMMAND.match(clause))


def is_fiction(sentence: str) -> bool:
    """A command to write what somebody says: who says "I" there is anybody."""
    return bool(_FICTION.match(sentence))


def is_game(sentence: str) -> bool:
    """From here on somebody else speaks: a role is played."""
    return bool(_GAME.match(sentence))


def is_over(sentence: str) -> bool:
    return bool(_GAME_OVER.search(sentence))


def is_unserious(sentence: str) -> bool:
    """Not meant, or not so: a joke, a marker of sarcasm, a world that is not this one."""
    return bool(_UNSERIOUS.search(sentence) or _UNREAL.search(sentence))


def is_passing(clause: str) -> bool:
    """Not worth remembering, whatever it is about: a state of the hour, politeness, a step of the present task."""
    return any(pattern.search(clause) for pattern in _NEVER)


def is_chat(clause: str) -> bool:
    return bool(_CHAT.match(clause))
