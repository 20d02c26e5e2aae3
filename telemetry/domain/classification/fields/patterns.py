"""How texts name arguments and repeat values, in several languages."""

import re

NAME = r"[\w$\u4e00-\u9fff\u3041-\u30ff][\w.$\[\]\-\u4e00-\u9fff\u3041-\u30ff]{0,79}"
"""An argument's name, in Latin or East Asian letters, with dots and brackets."""

SURE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bargument (--?[\w-]{1,40})",
        r"\b(?:unknown|unrecognized|unrecognised|invalid|bad|illegal|ambiguous) (?:long |short )?(?:flag|option|switch|arguments?)s?\b[:= '\"`]{0,4}(--?[\w-]{1,40})",
        r"\bfollowing arguments are required: (--?[\w-]{1,40}|\w{1,40})",
        r"\binvalid value for ['\"`]?(--?[\w-]{1,40})",
        r"\boption[ '\"`]{1,3}(--?[\w-]{1,40})",
        rf"\b(?:unexpected keyword argument|required positional arguments?|required keyword-only arguments?|missing argument)[: ]{{1,3}}['\"`]?({NAME})",
        rf"\bPath: \$?\.?({NAME})",
        r"\bvalidation errors? for [\w.\[\]-]{1,80}\n([A-Za-z_][\w.\[\]-]{0,79})\n",
        rf"['\"`]({NAME})['\"`] (?:address|header|parameter|param|field|argument|property|attribute)\b",
        rf"\bdata\[['\"]({NAME})['\"]\]",
        r"\b(?:body|input|query|params|data|record)/([\w/.\[\]]{1,80}) (?:must|should)\b",
        rf"\b(?:enter|provide|specify|supply) (?:a )?values?(?:\(s\))? for:? ['\"`]?({NAME})",
        r"\bexpected parameter\(s\): (\w{1,80})",
        r"\bjson-pointer:(/[\w/.$~-]{1,120})",
        r"\bCONSTRAINT `(?:\w+\.)?(\w{1,80})` failed\b",
        r"\bconstraint failed: (?:\w+\.)?(\w{1,80})",
        r"\bnull value in column \"(\w{1,80})\"",
        r"\bColumn '(\w{1,80})' cannot be null",
        r"\bMandatoryError: \[[^\]\n]{0,120}\]: (\w{1,80})",
        r"\b(?:value missing|missing value) for:? (?:field )?['\"`]?(\w{1,80})",
    )
)
"""After these words stands a name and nothing else."""

NAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:\bparam(?:eter)?s?|\bfields?|\belement|\bproperty|\battribute|\bargument|\bcolumn|\bkey|\bvariable|\binput|\bFeld|\bParameter|\bEigenschaft|\bSpalte|\bchamp|\bcampo|\bpar[aá]metro|参数|參數|字段|項目|パラメータ|パラメーター|フィールド)(?: named| called| name| with (?:the )?(?:name|slug|key|id|slug/id)|名)?[ :=,]{{0,3}}['\"`“「『\[<(]({NAME})['\"`”」』\]>)]",
        rf"(?<!model )['\"`“「『]({NAME})['\"`”」』] ?(?!is (?:not an?|no|an?) (?:in)?valid (?:value|date|number|email|url|uuid|option|choice|integer|enum))(?:is (?:a )?(?:required|missing|invalid|incorrect|wrong|empty|blank|too|not|mandatory|an? invalid)|must|should|cannot|can't|may not|has to|needs|expects|failed|does not match|value|has|header|field|parameter|property|param|attribute|argument|wurde|ist|muss|darf|fehlt|est|es |doit|debe)",
        rf"\b(?:for|of|in|on) (?:the )?(?:field|parameter|property|argument|attribute|column|key|param|input)s? ['\"`]?({NAME})",
        rf"\b(?:missing|required|invalid|illegal|unknown|unsupported|unexpected|empty|blank|incorrect|malformed|bad) (?:(?:value|format|type|data) (?:for|of|in) )?(?:the )?(?:required |query |request |body |path |input |form |mandatory )*(?:parameter|param|field|property|argument|attribute|column|key|input|value|variable)(?:s|\(s\))?(?: for| name| named| in)?[: ]{{1,3}}['\"`]?({NAME})",
        rf"\b(?:parameter|param|field|property|argument|attribute|column)s?[: ]{{1,2}}['\"`]?({NAME})['\"`]? (?:is|was|must|has|cannot|should|does|not|needs|required|can't|may|contains|exceeds|expects)",
        rf"\b(?:Pflichtfeld|Feld|Parameter|Angabe|Eigenschaft) ({NAME}) (?:fehlt|ist|muss|darf|hat|enth.lt|wurde)",
        rf"\binvalid(?:[ _-]\w+)?(?: value)?[ :]{{1,3}}['\"`]({NAME})['\"`]",
        rf"^['\"`]?({NAME})['\"`]? (?:is (?:a )?(?:required|missing|invalid|not|mandatory|too|an? )|must|cannot be|can't be|should be|should not|has to|may not|needs to|が|は|の|を|不能|不正确|必须|格式|为空|ist |darf|muss)",
        rf"^(?-i:(?![A-Z]\w*\.))({NAME}): ",
        r"(?:^|[ '\"`(:])([A-Za-z_]\w{0,40}(?:\.\w{1,40}|\[\d{1,4}\]){1,8})['\"`]? (?:is|are|must|should|cannot|can't|has|may not|needs)\b",
        r"\bparam(?:eter)? ([\w\[\]'.]{1,80}) (?:must|is|cannot|should|has)\b",
        r"\b[Nn]o (\w{3,40}) (?:was |were |has been )?(?:specified|provided|given|supplied)\b",
        r"\b(?:invalid|missing|bad|wrong) ([a-z]\w*_\w+)\b",
        rf"\binvalid (?:field|parameter|attribute|property) value[: ]{{1,3}}['\"`]?({NAME})",
        rf"\b(?:value|format|type|data) (?:\w+ )?(?:passed |given |provided |supplied |set |sent )?(?:for|of) ['\"`]?({NAME})",
        rf"\b(?:invalid|bad|wrong|illegal|unsupported) ({NAME}) (?:provided|given|supplied|value|parameter|passed)\b",
        rf"\b({NAME}) (?:parameter|param|field|argument|property|attribute|header|column) (?:is|was|must|cannot|has|should|needs)\b",
        rf"\b({NAME}) (?:expects|expected|needs to be|has to be|must be|should be|cannot be|can't be|is required|is missing)\b",
        rf"\b(?:缺少|缺失|无效的?|非法的?|错误的?|请填写|请输入|请传入)(?:必填|必要|必需|请求)?(?:参数|字段)?[: ]{{0,2}}['\"`「]?([A-Za-z_]{NAME[2:]})",
        r"参数(?:错误|无效|缺失|不合法|不正确|异常)?[:：, ]{1,2}['\"`「]?([A-Za-z_][\w.\[\]-]{0,60})",
        r"([A-Za-z_][A-Za-z0-9_.\[\]-]{1,60}) ?(?:参数|字段|不能为空|为必填|格式|不合法|必须|不正确|无效|取值|错误|长度|为空|超过|应为|は必須|が不正|が無効|を指定|を入力|の形式|の値|は無効|が正しく)",
    )
)
"""After or before these words stands a name, or a word that only looks like one."""

GIVEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:but was|got|received|given|found|actual|instead of|you (?:passed|provided|sent|gave)|input_value=|provided)[:= ]{1,3}['\"`“]{0,2}([^'\"`”,;\n]{1,120})['\"`”]",
        r"\b(?:invalid|incorrect|illegal|unknown|unsupported|bad|malformed|unrecognized|unexpected|ung.ltige\w*|invalide|inv.lido)\b(?: [\w.-]+){0,5}?[: ]{1,3}['\"`“「]([^'\"`”」\n]{1,120})['\"`”」]",
        r"\b(?:value|wert|valeur|valor|值|値)[ :=]{0,3}['\"`“「]([^'\"`”」\n]{1,120})['\"`”」]",
        r"['\"`“「]([^'\"`”」\n]{1,120})['\"`”」] (?:is not|was not|isn't|does not|cannot be|can't|ist (?:kein|f.r|nicht)|n'est|no es|is invalid|is an? undefined|is undefined|(?:was )?not found|can ?not be (?:found|resolved)|does not exist|as)",
        r"\b(?:unknown|invalid|unsupported|illegal|unrecognized) (?:\w+ ){1,3}\[([^\]\n]{1,80})\]",
        r"\bvalue for '--?[\w-]{1,40}[^'\n]{0,40}': '?(\S{1,80}?)'? is not\b",
        r"\bfrom (?:string|value|number|token)\W{1,3}[\"'`]([^\"'`\n]{1,120})[\"'`]",
        r"\bnear ['\"`]([^'\"`\n]{1,80})['\"`]",
        r"\b(?:table|view|column|relation|object|schema|index|collection|field) (?:with name |named |name )?['\"`]?([\w.]{1,80})['\"`]? (?:does not exist|doesn't exist|was not found|not found|can ?not be (?:found|resolved)|is unknown)",
        r"\bconvert (?:string|value|text) ['\"`]([^'\"`\n]{1,80})['\"`]",
        r"\b(?:unrecognized|unknown|undefined) name:? ['\"`]?([\w.]{1,80})",
        r"\bno such (?:table|column|function|view|collection|index|module|relation): ([\w.]{1,80})",
        r"\bno such (?:\w+ ){0,2}['\"`]([^'\"`\n]{1,80})['\"`]",
        r"\binput syntax for (?:type )?[\w ]{1,40}: ['\"]([^'\"\n]{1,120})['\"]",
    )
)
"""Before or after these words stands the value that was sent."""

COUNTED = re.compile(
    r"\b(?:got|received|but (?:was|is|has)|requested|asked for|came to|resulted in|sent|cost is|(?:batch|input|prompt|text|request|message) has)[: ]{1,2}(\d[\d,]{0,14})\b(?![.:/-]\d)(?!,? (?:is|expected|but))",
    re.IGNORECASE,
)
"""After these words stands how much was sent."""
